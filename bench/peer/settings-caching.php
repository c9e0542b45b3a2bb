<?php
// The settings of the other runs, but with a parser cache in memory.

require __DIR__ . '/settings.php';
$wgParserCacheType = CACHE_ACCEL;
