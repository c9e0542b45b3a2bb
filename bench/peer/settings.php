<?php
// Settings of the MediaWiki that wikiapi is measured against. The environment names the folder of
// its state. Beyond what install.php wrote: what makes it fast, and what makes both wikis alike.

$peerState = getenv( 'PEER_STATE' );
require "$peerState/installed/LocalSettings.php";

$wgSitename = getenv( 'PEER_NAME' );
$wgMetaNamespace = str_replace( ' ', '_', $wgSitename );
$wgServer = getenv( 'PEER_SERVER' ) ?: 'http://127.0.0.1';
$wgScriptPath = '/w';
$wgArticlePath = '/wiki/$1';
$wgNamespacesWithSubpages[NS_MAIN] = true;

// As fast as it goes on one machine: memory for objects, compiled files for interface texts.
$wgMainCacheType = CACHE_ACCEL;
$wgMessageCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_ACCEL;
$wgCacheDirectory = "$peerState/cache";
$wgLocalisationCacheConf['store'] = 'array';
$wgLocalisationCacheConf['storeDirectory'] = "$peerState/cache";
$wgUseLocalMessageCache = true;
$wgJobRunRate = 0;

// Every answer is rendered anew; all other caches stay as they are in use.
$wgParserCacheType = CACHE_NONE;

// The ceilings of wikiapi.
$wgMaxArticleSize = 2048;
$wgMaxPPNodeCount = 1000000;
$wgMaxTemplateDepth = 100;
$wgMaxPPExpandDepth = 100;
$wgExpensiveParserFunctionLimit = 100;

$wgEnableUploads = false;
$wgUploadDirectory = "$peerState/images";
$wgGenerateThumbnailOnParse = false;

if ( getenv( 'PEER_EXTENSIONS' ) !== 'none' ) {
	wfLoadExtensions( [
		'CategoryTree', 'Cite', 'ImageMap', 'InputBox', 'PageImages', 'ParserFunctions', 'Poem',
		'Scribunto', 'SyntaxHighlight_GeSHi', 'TemplateData', 'TextExtracts',
	] );
	$wgPFEnableStringFunctions = true;
	$wgScribuntoDefaultEngine = 'luasandbox';
	$wgPygmentizePath = '/usr/bin/pygmentize';
} else {
	// Other interface texts: they must not take the place of the server's.
	$wgLocalisationCacheConf['storeClass'] = LCStoreNull::class;
}
