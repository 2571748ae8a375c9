<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/** Whether a key may be sent to a URL. Over http, others could read it, except on this machine. */
function is_safe_url( string $url ): bool {
	$parts = wp_parse_url( $url );
	if ( ! is_array( $parts ) || empty( $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
		return false;
	}
	$is_local = in_array( $parts['host'], array( 'localhost', '127.0.0.1', '[::1]' ), true );
	return 'https' === $parts['scheme'] || ( 'http' === $parts['scheme'] && $is_local );
}

/** URL of the service without a trailing slash; may be empty. */
function api_url(): string {
	return rtrim( (string) get_option( 'imprimatur_api_url', '' ), '/' );
}

/** API key. A constant in wp-config.php, which database backups do not contain, has priority. */
function api_key(): string {
	return defined( 'IMPRIMATUR_API_KEY' ) ? (string) \IMPRIMATUR_API_KEY : (string) get_option( 'imprimatur_api_key', '' );
}

function is_configured(): bool {
	return '' !== api_url() && '' !== api_key();
}

/** URL of the page for readers, without a fragment; empty for no badge. */
function reader_url(): string {
	return (string) get_option( 'imprimatur_reader_url', '' );
}

/** Seconds between a change and its attestation, which cannot be undone. */
function delay_seconds(): int {
	return 60 * (int) get_option( 'imprimatur_delay', 5 );
}

/** Public post types with text. @return string[] */
function possible_types(): array {
	return array_values( array_diff( get_post_types( array( 'public' => true ) ), array( 'attachment' ) ) );
}

/** Post types to attest. @return string[] */
function attested_types(): array {
	return array_values( array_intersect( possible_types(), (array) get_option( 'imprimatur_types', array( 'post' ) ) ) );
}

/**
 * Whether a post is public and of a type to attest. Drafts, scheduled and private posts, revisions and autosaves have
 * another status. The filter can only exclude posts.
 */
function is_eligible( \WP_Post $post ): bool {
	$is_public = 'publish' === $post->post_status && '' === $post->post_password
		&& in_array( $post->post_type, attested_types(), true );
	return $is_public && true === apply_filters( 'imprimatur_is_eligible', true, $post );
}
