<?php
// Settings of the MediaWiki with which wikiapi is compared. The environment names the folder of its
// state. They extend the file that install.php writes, for speed and to make both wikis alike.

$peerState = getenv( 'PEER_STATE' );
require "$peerState/installed/LocalSettings.php";

$wgSitename = getenv( 'PEER_NAME' );
$wgMetaNamespace = str_replace( ' ', '_', $wgSitename );
$wgServer = getenv( 'PEER_SERVER' ) ?: 'http://127.0.0.1';
$wgScriptPath = '/w';
$wgArticlePath = '/wiki/$1';
$wgNamespacesWithSubpages[NS_MAIN] = true;

// The fastest setup for one machine: objects in memory, interface texts in compiled files.
$wgMainCacheType = CACHE_ACCEL;
$wgMessageCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_ACCEL;
$wgCacheDirectory = "$peerState/cache";
$wgLocalisationCacheConf['store'] = 'array';
$wgLocalisationCacheConf['storeDirectory'] = "$peerState/cache";
$wgUseLocalMessageCache = true;
$wgJobRunRate = 0;

// Every request renders the page; all other caches are as in production.
$wgParserCacheType = CACHE_NONE;

// The limits of wikiapi.
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
	// These interface texts are different, and must not replace those of the server.
	$wgLocalisationCacheConf['storeClass'] = LCStoreNull::class;
}
