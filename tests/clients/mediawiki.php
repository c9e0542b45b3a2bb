<?php
// Settings of a MediaWiki whose only files are those of another wiki. The environment names the
// folder of its state, the api.php of that wiki, and for how long thumbnails are kept.

$folder = getenv( 'WIKI_FOLDER' );
require "$folder/LocalSettings.php";

// A request may name the content language.
$wgLanguageCode = $_GET['peerlanguage'] ?? $wgLanguageCode;
$wgUploadDirectory = "$folder/images";
$wgCacheDirectory = "$folder/cache";
$wgMainCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_NONE;
$wgJobRunRate = 0;
$wgForeignFileRepos[] = [
	'class' => ForeignAPIRepo::class,
	'name' => 'other',
	'apibase' => getenv( 'WIKI_FILES' ),
	'hashLevels' => 2,
	'fetchDescription' => true,
	'descriptionCacheExpiry' => 3600,
	'apiThumbCacheExpiry' => (int)getenv( 'WIKI_THUMBNAIL_SECONDS' ),
];
wfLoadExtension( 'ParserFunctions' );
