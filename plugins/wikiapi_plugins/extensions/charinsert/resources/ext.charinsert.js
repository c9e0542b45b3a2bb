// Inserts the characters of a CharInsert link around the selection in the field last focused.
let field = document.querySelector('textarea[name="wpTextbox1"]');

document.addEventListener('focusin', (event) => {
	if (event.target.matches('textarea, input[type="text"]')) {
		field = event.target;
	}
});

document.addEventListener('click', (event) => {
	const item = event.target.closest('.mw-charinsert-item');
	if (!item || !field || field.readOnly) {
		return;
	}
	event.preventDefault();
	const before = item.dataset.mwCharinsertStart;
	const selected = field.value.slice(field.selectionStart, field.selectionEnd);
	const start = field.selectionStart + before.length;
	field.setRangeText(before + selected + item.dataset.mwCharinsertEnd);
	field.focus();
	field.setSelectionRange(start, start + selected.length);
});
