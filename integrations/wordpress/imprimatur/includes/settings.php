<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/** Whether a key may be sent there: over http anybody on the way could read it, but for this machine itself. */
function is_safe_url( string $url ): bool {
	$parts = wp_parse_url( $url );
	if ( ! is_array( $parts ) || empty( $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) {
		return false;
	}
	$is_local = in_array( $parts['host'], array( 'localhost', '127.0.0.1', '[::1]' ), true );
	return 'https' === $parts['scheme'] || ( 'http' === $parts['scheme'] && $is_local );
}

/** URL of the service, without a slash at its end; empty while there is none. */
function api_url(): string {
	return rtrim( (string) get_option( 'imprimatur_api_url', '' ), '/' );
}

/** API key; a constant of wp-config.php, which is in no copy of the database, goes first. */
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

/** Post types that can be attested: public ones with a text of their own. @return string[] */
function possible_types(): array {
	return array_values( array_diff( get_post_types( array( 'public' => true ) ), array( 'attachment' ) ) );
}

/** Post types that are attested. @return string[] */
function attested_types(): array {
	return array_values( array_intersect( possible_types(), (array) get_option( 'imprimatur_types', array( 'post' ) ) ) );
}

/**
 * Whether a post is published for everybody, of a type that is attested. Drafts, scheduled and private posts, revisions and
 * autosaves have another status; a filter can only take more away.
 */
function is_eligible( \WP_Post $post ): bool {
	$is_public = 'publish' === $post->post_status && '' === $post->post_password
		&& in_array( $post->post_type, attested_types(), true );
	return $is_public && true === apply_filters( 'imprimatur_is_eligible', true, $post );
}
