/* Requests to the API of this wiki. */
mw.Api = ( function () {
	function Api( options ) {
		this.parameters = Object.assign( { action: 'query', format: 'json' }, ( options || {} ).parameters );
		this.url = ( ( options || {} ).ajax || {} ).url || mw.util.wikiScript( 'api' );
	}
	function form( parameters ) {
		var query = new URLSearchParams();
		Object.keys( parameters ).forEach( function ( name ) {
			var value = parameters[ name ];
			if ( value !== undefined && value !== false ) {
				query.set( name, Array.isArray( value ) ? value.join( '|' ) : value === true ? '1' : value );
			}
		} );
		return query.toString();
	}
	function answered( promise ) {
		promise = promise.then( function ( response ) {
			return response.json();
		} ).then( function ( answer ) {
			if ( answer.error ) {
				throw Object.assign( new Error( answer.error.info ), { code: answer.error.code, answer: answer } );
			}
			return answer;
		} );
		promise.done = function ( handler ) {
			promise.then( handler, function () {} );
			return promise;
		};
		promise.fail = function ( handler ) {
			promise.catch( function ( error ) {
				handler( error.code || 'http', error.answer || error );
			} );
			return promise;
		};
		promise.abort = function () {};
		return promise;
	}
	Api.prototype.get = function ( parameters ) {
		return answered( fetch( this.url + '?' + form( Object.assign( {}, this.parameters, parameters ) ) ) );
	};
	Api.prototype.post = function ( parameters ) {
		return answered( fetch( this.url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body: form( Object.assign( {}, this.parameters, parameters ) )
		} ) );
	};
	Api.prototype.parse = function ( text, parameters ) {
		return this.get( Object.assign( { action: 'parse', text: text, contentmodel: 'wikitext', formatversion: 2 }, parameters ) )
			.then( function ( answer ) {
				return answer.parse.text;
			} );
	};
	return Api;
}() );
module.exports = mw.Api;
