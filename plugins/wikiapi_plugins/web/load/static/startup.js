/* Loads modules of scripts and style sheets, and provides the parts of `mw` that gadgets use. */
( function () {
	'use strict';
	if ( window.mw && window.mw.loader ) {
		return;
	}

	/* A map of values by name: the type of mw.config, mw.messages and mw.user.options. */
	function Values() {
		this.values = Object.create( null );
	}
	Values.prototype.get = function ( key, fallback ) {
		var values = this.values, found = {};
		if ( key === undefined ) {
			return Object.assign( {}, values );
		}
		if ( Array.isArray( key ) ) {
			key.forEach( function ( name ) {
				found[ name ] = name in values ? values[ name ] : null;
			} );
			return found;
		}
		return key in values ? values[ key ] : fallback === undefined ? null : fallback;
	};
	Values.prototype.set = function ( key, value ) {
		if ( typeof key === 'string' ) {
			this.values[ key ] = value;
		} else {
			Object.assign( this.values, key );
		}
		return true;
	};
	Values.prototype.exists = function ( key ) {
		return key in this.values;
	};

	/* A hook calls its handlers for every event; new handlers are called at once for the last one. */
	var hooks = Object.create( null );
	function hook( name ) {
		if ( !hooks[ name ] ) {
			var handlers = [], last = null;
			hooks[ name ] = {
				add: function () {
					Array.prototype.forEach.call( arguments, function ( handler ) {
						handlers.push( handler );
						if ( last ) {
							attempt( handler, last );
						}
					} );
					return this;
				},
				remove: function () {
					var removed = Array.prototype.slice.call( arguments );
					handlers = handlers.filter( function ( handler ) {
						return removed.indexOf( handler ) < 0;
					} );
					return this;
				},
				fire: function () {
					last = arguments;
					handlers.slice().forEach( function ( handler ) {
						attempt( handler, last );
					} );
					return this;
				}
			};
		}
		return hooks[ name ];
	}

	function attempt( handler, values ) {
		try {
			handler.apply( null, values );
		} catch ( error ) {
			log.error( error );
		}
	}

	function log() {}
	log.warn = function () {
		console.warn.apply( console, arguments );
	};
	log.error = function () {
		console.error.apply( console, arguments );
	};
	log.deprecate = function ( holder, name, value ) {
		holder[ name ] = value;
	};
	log.makeDeprecated = function () {
		return function () {};
	};

	function escapeHtml( text ) {
		var entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#039;' };
		return String( text ).replace( /[&<>"']/g, function ( char ) {
			return entities[ char ];
		} );
	}

	/* Messages: only parameters are replaced, other markup is not supported. */
	var messages = new Values();
	function Message( key, parameters ) {
		this.key = key;
		this.parameters = parameters;
	}
	Message.prototype = {
		constructor: Message,
		exists: function () {
			return messages.exists( this.key );
		},
		params: function ( parameters ) {
			this.parameters = this.parameters.concat( parameters );
			return this;
		},
		plain: function () {
			var parameters = this.parameters;
			if ( !this.exists() ) {
				return '\u29FC' + this.key + '\u29FD';
			}
			return messages.get( this.key ).replace( /\$([0-9]+)/g, function ( mark, number ) {
				var value = parameters[ number - 1 ];
				return value === undefined ? mark : value;
			} );
		},
		escaped: function () {
			return escapeHtml( this.plain() );
		}
	};
	Message.prototype.text = Message.prototype.toString = Message.prototype.plain;
	Message.prototype.parse = Message.prototype.escaped;

	function message( key ) {
		return new Message( key, Array.prototype.slice.call( arguments, 1 ) );
	}

	/* The modules by name, with their states from "registered" to "ready". */
	var registry = Object.create( null ),
		waiting = [],
		queue = [],
		settings = { maxQueryLength: 2000 },
		isEnded = { ready: true, error: true, missing: true };

	function register( modules ) {
		modules.forEach( function ( entry ) {
			if ( !registry[ entry[ 0 ] ] ) {
				registry[ entry[ 0 ] ] = {
					version: entry[ 1 ] || '',
					dependencies: ( entry[ 2 ] || [] ).map( function ( dependency ) {
						return typeof dependency === 'number' ? modules[ dependency ][ 0 ] : dependency;
					} ),
					isApart: !!entry[ 3 ],
					state: 'registered'
				};
			}
		} );
	}

	function setStates( states ) {
		Object.keys( states ).forEach( function ( name ) {
			registry[ name ] = registry[ name ] || { version: '', dependencies: [] };
			registry[ name ].state = states[ name ];
		} );
		proceed();
	}

	/* Returns the modules with all their dependencies, each module after its dependencies. */
	function resolve( names ) {
		var found = [], seen = Object.create( null );
		function add( name ) {
			if ( seen[ name ] ) {
				return;
			}
			seen[ name ] = true;
			if ( !registry[ name ] ) {
				registry[ name ] = { version: '', dependencies: [], state: 'missing' };
			}
			registry[ name ].dependencies.forEach( add );
			found.push( name );
		}
		names.forEach( add );
		return found;
	}

	function request( names ) {
		resolve( names ).forEach( function ( name ) {
			if ( registry[ name ].state === 'registered' ) {
				registry[ name ].state = 'loading';
				queue.push( name );
			}
		} );
		if ( queue.length ) {
			Promise.resolve().then( work );
		}
		proceed();
	}

	function makeQueryString( query ) {
		return Object.keys( query ).map( function ( name ) {
			return encodeURIComponent( name ) + '=' + encodeURIComponent( query[ name ] );
		} ).join( '&' );
	}

	/* Requests the queued modules in batches; modules that consist of pages are requested singly. */
	function work() {
		var batch = [], length = 0;
		queue.splice( 0 ).sort().forEach( function ( name ) {
			if ( registry[ name ].isApart ) {
				fetchBatch( [ name ] );
				return;
			}
			if ( batch.length && length + name.length + 12 > settings.maxQueryLength ) {
				fetchBatch( batch );
				batch = [];
				length = 0;
			}
			batch.push( name );
			length += name.length + 12;
		} );
		if ( batch.length ) {
			fetchBatch( batch );
		}
	}

	function fetchBatch( names ) {
		var sourceLoadScript = config.get( 'wgLoadScript' ),
			query = {
				lang: config.get( 'wgUserLanguage' ),
				modules: names.join( '|' ),
				skin: config.get( 'skin' ),
				version: names.map( function ( name ) {
					return registry[ name ].version;
				} ).join( '' )
			};
		function addScript( src ) {
			getScript( src ).then( null, function () {} ).then( function () {
				var lost = {};
				names.forEach( function ( name ) {
					if ( registry[ name ].state === 'loading' ) {
						lost[ name ] = 'error';
					}
				} );
				setStates( lost );
			} );
		}
		// Programs that make offline copies search for exactly this statement of MediaWiki's loader.
		addScript(sourceLoadScript+'?'+makeQueryString(query));
	}

	function getScript( src ) {
		return promised( new Promise( function ( done, fail ) {
			var element = document.createElement( 'script' );
			element.src = src;
			element.onload = function () {
				element.remove();
				done();
			};
			element.onerror = function () {
				element.remove();
				fail( new Error( 'The script ' + src + ' was not loaded' ) );
			};
			document.head.appendChild( element );
		} ) );
	}

	function implement( nameAndVersion, script, style, texts, templates ) {
		var name = nameAndVersion.split( '@' )[ 0 ], module;
		register( [ [ name ] ] );
		module = registry[ name ];
		if ( module.state === 'ready' || module.state === 'loaded' ) {
			return;
		}
		module.script = script;
		module.style = style || {};
		module.messages = texts || {};
		module.templates = templates || {};
		module.state = 'loaded';
		proceed();
	}

	/* Runs the loaded modules whose dependencies are ready, until no more can be run. */
	var isProceeding = false;
	function proceed() {
		var names, again = true;
		if ( isProceeding ) {
			return;
		}
		isProceeding = true;
		while ( again ) {
			again = false;
			names = Object.keys( registry );
			names.forEach( function ( name ) {
				var module = registry[ name ], lacks, fails;
				if ( module.state !== 'loaded' ) {
					return;
				}
				lacks = module.dependencies.filter( function ( other ) {
					return !registry[ other ] || registry[ other ].state !== 'ready';
				} );
				fails = lacks.some( function ( other ) {
					return registry[ other ] && isEnded[ registry[ other ].state ];
				} );
				if ( fails ) {
					module.state = 'error';
					log.warn( 'The module ' + name + ' needs ' + lacks.join( ', ' ) );
					again = true;
				} else if ( !lacks.length ) {
					execute( name, module );
					again = true;
				}
			} );
		}
		isProceeding = false;
		waiting = waiting.filter( function ( entry ) {
			return !entry();
		} );
	}

	function execute( name, module ) {
		module.state = 'executing';
		messages.set( module.messages );
		mw.templates.set( name, module.templates );
		( module.style.css || [] ).forEach( addStyleTag );
		try {
			run( module );
			module.state = 'ready';
		} catch ( error ) {
			module.state = 'error';
			log.error( 'The module ' + name + ' failed:', error );
		}
	}

	function run( module ) {
		var script = module.script, holder = { exports: {} }, files;
		module.exports = holder;
		if ( typeof script === 'function' ) {
			script( window.jQuery, window.jQuery, require, holder );
		} else if ( script && script.files ) {
			files = Object.create( null );
			holder.exports = requireFile( script.main );
		}
		function requireFile( path ) {
			var content = script.files[ path.replace( /^\.\//, '' ) ], own;
			if ( content === undefined ) {
				return require( path );
			}
			if ( typeof content !== 'function' ) {
				return content;
			}
			if ( !files[ path ] ) {
				own = files[ path ] = { exports: {} };
				content( requireFile, own, own.exports );
			}
			return files[ path ].exports;
		}
	}

	function require( name ) {
		var module = registry[ name ];
		if ( !module || module.state !== 'ready' ) {
			throw new Error( 'The module ' + name + ' is not loaded' );
		}
		return module.exports ? module.exports.exports : {};
	}

	function addStyleTag( text ) {
		var element = document.createElement( 'style' );
		element.appendChild( document.createTextNode( text ) );
		document.head.appendChild( element );
		return element;
	}

	function addLinkTag( href, media ) {
		var element = document.createElement( 'link' );
		element.rel = 'stylesheet';
		if ( media ) {
			element.media = media;
		}
		element.href = href;
		document.head.appendChild( element );
		return element;
	}

	/* Adds the methods `done` and `fail` of jQuery's promises. */
	function promised( promise ) {
		promise.done = function ( handler ) {
			promise.then( handler, function () {} );
			return promise;
		};
		promise.fail = function ( handler ) {
			promise.catch( handler );
			return promise;
		};
		return promise;
	}

	function list( names ) {
		return Array.isArray( names ) ? names : [ names ];
	}

	function using( names, whenReady, whenFailed ) {
		names = list( names );
		var promise = promised( new Promise( function ( done, fail ) {
			waiting.push( function () {
				var all = resolve( names ), failed = all.filter( function ( name ) {
					return isEnded[ registry[ name ].state ] && registry[ name ].state !== 'ready';
				} );
				if ( failed.length ) {
					fail( new Error( 'Modules that are not there: ' + failed.join( ', ' ) ) );
					return true;
				}
				if ( all.every( function ( name ) {
					return registry[ name ].state === 'ready';
				} ) ) {
					done( require );
					return true;
				}
				return false;
			} );
		} ) );
		promise.then( whenReady, whenFailed || function () {} );
		request( names );
		return promise;
	}

	function load( names, type ) {
		list( names ).forEach( function ( name ) {
			if ( !/^(?:https?:)?\/?\//.test( name ) ) {
				request( [ name ] );
			} else if ( type === 'text/css' ) {
				addLinkTag( name );
			} else {
				getScript( name );
			}
		} );
	}

	function getState( name ) {
		return registry[ name ] ? registry[ name ].state : null;
	}

	var config = new Values(), options = new Values(), tokens = new Values(), trackers = [];

	/* Reads the values of the page, loads its modules, and runs the functions queued in RLQ. */
	function start() {
		var element = document.getElementById( 'page-config' ),
			page = element ? JSON.parse( element.textContent ) : {},
			functions = window.RLQ || [];
		config.set( window.RLCONF || page.config || {} );
		setStates( window.RLSTATE || page.states || {} );
		document.documentElement.classList.remove( 'client-nojs' );
		document.documentElement.classList.add( 'client-js' );
		load( window.RLPAGEMODULES || page.modules || [] );
		window.RLQ = { push: runQueued };
		functions.forEach( runQueued );
		whenParsed( function () {
			var content = document.getElementById( 'mw-content-text' ) || document.body;
			hook( 'wikipage.content' ).fire( window.jQuery ? window.jQuery( content ) : content );
		} );
	}

	function runQueued( entry ) {
		if ( typeof entry === 'function' ) {
			attempt( entry, [] );
		} else if ( Array.isArray( entry ) ) {
			using( entry[ 0 ], entry[ 1 ] );
		}
	}

	function whenParsed( action ) {
		if ( document.readyState === 'loading' ) {
			document.addEventListener( 'DOMContentLoaded', action );
		} else {
			action();
		}
	}

	var mw = window.mw = window.mediaWiki = {
		Map: Values,
		Message: Message,
		config: config,
		hook: hook,
		html: { escape: escapeHtml },
		libs: {},
		log: log,
		message: message,
		messages: messages,
		msg: function () {
			return message.apply( null, arguments ).text();
		},
		now: function () {
			return performance.now();
		},
		requestIdleCallback: function ( action ) {
			( window.requestIdleCallback || setTimeout )( action );
		},
		templates: new Values(),
		track: function ( topic, data ) {
			trackers.forEach( function ( tracker ) {
				if ( topic.indexOf( tracker[ 0 ] ) === 0 ) {
					tracker[ 1 ].call( { topic: topic, data: data }, topic, data );
				}
			} );
		},
		trackSubscribe: function ( topic, handler ) {
			trackers.push( [ topic, handler ] );
		},
		user: {
			options: options,
			tokens: tokens,
			getId: function () {
				return 0;
			},
			getName: function () {
				return config.get( 'wgUserName' );
			},
			isAnon: function () {
				return this.getName() === null;
			},
			isNamed: function () {
				return !this.isAnon();
			},
			isTemp: function () {
				return false;
			}
		},
		widgets: {},
		loader: {
			addLinkTag: addLinkTag,
			addStyleTag: addStyleTag,
			getModuleNames: function () {
				return Object.keys( registry );
			},
			getScript: getScript,
			getState: getState,
			impl: function ( declare ) {
				implement.apply( null, declare() );
			},
			implement: implement,
			load: load,
			register: register,
			require: require,
			start: start,
			state: setStates,
			using: using
		}
	};
}() );
