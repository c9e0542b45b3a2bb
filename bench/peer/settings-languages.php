<?php
// The settings with parameters of a request in place of what a wiki has once: the content language,
// the name, and the time that a signature shows.

// What is queued first comes first: the words of the extensions then have the order of the recording.
wfLoadExtensions( [ 'ParserFunctions', 'Scribunto', 'Cite', 'CategoryTree' ] );
require __DIR__ . '/settings.php';

$wgLanguageCode = $_GET['peerlanguage'] ?? 'en';
$wgSitename = $_GET['peername'] ?? $wgSitename;
$wgMetaNamespace = $wgSitename;
if ( isset( $_GET['peertime'] ) ) {
	Wikimedia\Timestamp\ConvertibleTimestamp::setFakeTime( $_GET['peertime'] );
}

// What is kept in memory does not say for which of the languages it was made.
$wgMainCacheType = CACHE_NONE;
$wgMessageCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_NONE;
$wgUseLocalMessageCache = false;
$wgUseDatabaseMessages = false;
// A database for each language, of which a request reads only the texts that it needs.
$wgLocalisationCacheConf['store'] = 'files';
