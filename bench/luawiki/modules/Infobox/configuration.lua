return {
	width = '22em',
	font_size = '88%',
	image_width = 220,
	classes = {
		title = 'infobox-title', above = 'infobox-above', image = 'infobox-image',
		caption = 'infobox-caption', data = 'infobox-data',
	},
	tracked = { image = 'Boxes without a picture', above = 'Boxes without a name' },
}
