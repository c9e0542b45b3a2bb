<?php
// The settings of a wiki with a parser cache, but with uploads.

require __DIR__ . '/settings-caching.php';
$wgEnableUploads = true;
