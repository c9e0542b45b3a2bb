"""What the help on the main module says of the types of parameters."""

from __future__ import annotations

DATA_TYPES = """\
<h2 id="main/datatypes">Data types</h2>
<p>Parameters are text in UTF-8 and Unicode's normal form C. Where several values are possible they
are parted by <kbd>|</kbd>; a value that holds one itself is sent with U+001F (<kbd>%1F</kbd>) in
front of the first value and between all of them. Of a parameter that is repeated, the last counts.
</p>
<dl>
<dt id="main/datatype/boolean">boolean</dt>
<dd>True when the parameter is there, even with an empty value; to say no, leave it out.</dd>
<dt id="main/datatype/integer">integer</dt>
<dd>A whole number in decimal digits, with a sign if it is negative.</dd>
<dt id="main/datatype/limit">limit</dt>
<dd>How many items to return at most: a number, or <kbd>max</kbd> for as many as you may.</dd>
<dt id="main/datatype/timestamp">timestamp</dt>
<dd>A moment in UTC: <kbd>2001-01-15T14:56:00Z</kbd> (ISO 8601, also without separators),
<kbd>20010115145600</kbd> (MediaWiki's), <kbd>979570560</kbd> (seconds since 1970), the forms of
HTTP and mail headers, or <kbd>now</kbd>.</dd>
<dt id="main/datatype/user">user</dt>
<dd>A user name, an address such as <kbd>192.0.2.1</kbd>, a range, the name of another wiki's user
with its prefix, or an id as <kbd>#123</kbd>; each parameter names the forms it takes.</dd>
</dl>
<h2 id="main/templatedparams">Templated parameters</h2>
<p>A parameter such as <kbd>{fruit}-quantity</kbd> stands for one parameter per value of another:
with <kbd>fruits=apples|pears</kbd> there are <kbd>apples-quantity</kbd> and
<kbd>pears-quantity</kbd>.</p>
"""
