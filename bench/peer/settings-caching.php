<?php
// The settings of the other runs, with a parser cache in memory.

require __DIR__ . '/settings.php';
$wgParserCacheType = CACHE_ACCEL;
