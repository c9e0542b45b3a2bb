/* URLs, links and style sheets for scripts. */
mw.util = ( function () {
	function wikiUrlencode( text ) {
		return encodeURIComponent( String( text ) )
			.replace( /'/g, '%27' ).replace( /%20/g, '_' ).replace( /%3B/g, ';' ).replace( /%40/g, '@' )
			.replace( /%24/g, '$' ).replace( /%2C/g, ',' ).replace( /%2F/g, '/' ).replace( /%3A/g, ':' );
	}
	function getUrl( page, parameters ) {
		var title = page === undefined || page === null ? mw.config.get( 'wgPageName' ) : String( page ),
			fragment = title.indexOf( '#' ) >= 0 ? title.slice( title.indexOf( '#' ) ).replace( / /g, '_' ) : '',
			name = wikiUrlencode( title.split( '#' )[ 0 ].replace( / /g, '_' ) ),
			query = parameters ? new URLSearchParams( parameters ).toString() : '';
		if ( query ) {
			return mw.config.get( 'wgScript' ) + '?title=' + name + '&' + query + fragment;
		}
		return mw.config.get( 'wgArticlePath' ).replace( '$1', function () {
			return name;
		} ) + fragment;
	}
	function later( action, wait ) {
		var timer;
		return function () {
			var values = arguments, self = this;
			clearTimeout( timer );
			timer = setTimeout( function () {
				action.apply( self, values );
			}, wait );
		};
	}
	return {
		$content: null,
		addCSS: function ( text ) {
			return mw.loader.addStyleTag( text ).sheet;
		},
		addPortletLink: function () {
			return null;
		},
		debounce: function ( action, wait ) {
			return typeof action === 'function' ? later( action, wait ) : later( wait, action );
		},
		escapeIdForAttribute: function ( id ) {
			return String( id ).replace( /[ \t\n\r\f]/g, '_' );
		},
		escapeIdForLink: function ( id ) {
			return String( id ).replace( /[ \t\n\r\f]/g, '_' );
		},
		escapeRegExp: function ( text ) {
			return String( text ).replace( /[\\^$.*+?()[\]{}|-]/g, '\\$&' );
		},
		getParamValue: function ( name, url ) {
			return new URL( url || location.href, location.href ).searchParams.get( name );
		},
		getUrl: getUrl,
		isIPv4Address: function ( text ) {
			return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test( text );
		},
		rawurlencode: encodeURIComponent,
		wikiScript: function ( name ) {
			var folder = mw.config.get( 'wgScriptPath' );
			return !name || name === 'index' ? mw.config.get( 'wgScript' ) : folder + '/' + name + '.php';
		},
		wikiUrlencode: wikiUrlencode
	};
}() );
module.exports = mw.util;
