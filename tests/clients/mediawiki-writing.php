<?php
// Settings of a MediaWiki on which sessions of writing are played. The environment names the folder
// of its state, its address, and a file with the rights of each group. Each request is two seconds
// after the one before, and its jobs are done when the next one comes.

$folder = getenv( 'WIKI_FOLDER' );
require "$folder/LocalSettings.php";

$wgSitename = $wgMetaNamespace = 'Wiki';
$wgArticlePath = '/wiki/$1';
$wgNamespacesWithSubpages[NS_MAIN] = true;
$wgUploadDirectory = "$folder/images";
$wgCacheDirectory = "$folder/cache";
$wgLocalisationCacheConf['store'] = 'array';
$wgLocalisationCacheConf['storeDirectory'] = "$folder/cache";
$wgMainCacheType = $wgMessageCacheType = CACHE_NONE;
$wgSessionCacheType = $wgParserCacheType = CACHE_DB;
$wgMainStash = 'db-replicated';
$wgUseLocalMessageCache = false;

$wgEnableUploads = true;
$wgFileExtensions = [ 'png', 'gif', 'jpg', 'jpeg', 'webp' ];
$wgMinUploadChunkSize = 1024;
$wgUseImageMagick = false;
$wgUseRCPatrol = $wgUseNPPatrol = $wgUseFilePatrol = true;
$wgWatchlistExpiry = true;
$wgPageLanguageUseDB = true;
$wgEnablePartialActionBlocks = true;
$wgAutoConfirmAge = 4 * 86400;
$wgEnableEmail = $wgEnableUserEmail = false;
$wgRateLimits = [];
$wgPasswordAttemptThrottle = [];
$wgAccountCreationThrottle = 0;
wfLoadExtension( 'ParserFunctions' );
$groups = json_decode( file_get_contents( getenv( 'WIKI_GROUPS' ) ), true );
foreach ( $groups as $group => $rights ) {
	$wgGroupPermissions[$group] = array_fill_keys( $rights, true );
}
$wgGroupPermissions['*']['writeapi'] = true;

$wgJobRunRate = 0;
if ( PHP_SAPI !== 'cli' ) {
	$time = (int)@file_get_contents( "$folder/data/clock" ) ?: time();
	file_put_contents( "$folder/data/clock", (string)( $time + 2 ) );
	Wikimedia\Timestamp\ConvertibleTimestamp::setFakeTime( $time + 2 );
	$reading = [ 'query', 'login', 'clientlogin', 'parse', 'compare' ];
	if ( !in_array( $_POST['action'] ?? 'query', $reading ) ) {
		register_shutdown_function( static function () {
			$runner = MediaWiki\MediaWikiServices::getInstance()->getJobRunner();
			for ( $i = 0; $i < 3; $i++ ) {
				$runner->run( [ 'maxJobs' => 500 ] );
			}
		} );
	}
}
