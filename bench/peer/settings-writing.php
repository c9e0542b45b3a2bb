<?php
// The settings with a parser cache, and with uploads enabled.

require __DIR__ . '/settings-caching.php';
$wgEnableUploads = true;
