<?php
$parser = MediaWiki\MediaWikiServices::getInstance()->getParser();
echo json_encode( [ 'tags' => $parser->getTags(), 'functions' => $parser->getFunctionHooks() ] );
