<?php
/**
 * Plugin Name: Imprimatur
 * Description: Attests published posts on a blockchain through an Imprimatur service, links corrections, and lets readers check them.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * License: MIT
 */

namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

foreach ( array( 'settings', 'text', 'versions', 'service', 'work', 'marks', 'admin' ) as $part ) {
	require __DIR__ . "/includes/$part.php";
}

const WORK = 'imprimatur_work';

add_action( 'plugins_loaded', __NAMESPACE__ . '\install_table' );
add_action( 'wp_after_insert_post', __NAMESPACE__ . '\note_change', 10, 2 );
add_action( 'deleted_post', __NAMESPACE__ . '\forget_post' );
add_action( WORK, __NAMESPACE__ . '\work' );

add_action( 'template_redirect', __NAMESPACE__ . '\serve_text', 0 );
add_action( 'wp_head', __NAMESPACE__ . '\print_head' );
// Priority 100, so that other plugins run earlier and do not change the badge.
add_filter( 'the_content', __NAMESPACE__ . '\add_badge', 100 );

add_action( 'admin_menu', __NAMESPACE__ . '\add_page' );
add_action( 'admin_init', __NAMESPACE__ . '\register_settings' );
add_action( 'admin_post_imprimatur_retry', __NAMESPACE__ . '\retry' );

register_deactivation_hook( __FILE__, function () {
	wp_clear_scheduled_hook( WORK );
} );
