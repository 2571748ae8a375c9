<?php
/** Deletes the data of the plugin: its settings with the key, scheduled work, and stored texts. */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

function imprimatur_uninstall(): void {
	global $wpdb;
	$names = array( 'api_url', 'api_key', 'reader_url', 'badge', 'delay', 'types', 'schema' );
	array_map( fn( $name ) => delete_option( "imprimatur_$name" ), $names );
	delete_post_meta_by_key( '_imprimatur_due' );
	wp_clear_scheduled_hook( 'imprimatur_work' );
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}imprimatur_versions" );
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $site ) {
		switch_to_blog( $site );
		imprimatur_uninstall();
		restore_current_blog();
	}
} else {
	imprimatur_uninstall();
}
