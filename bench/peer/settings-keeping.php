<?php
// The settings of the other runs, but that renderings are kept, in memory.

require __DIR__ . '/settings.php';
$wgParserCacheType = CACHE_ACCEL;
