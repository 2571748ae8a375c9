<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/** Finds the confirmed version with the text on the current page. Returns null in a preview, which is not published. */
function shown_version(): ?object {
	$post = is_singular() && ! is_preview() ? get_queried_object() : null;
	if ( ! $post instanceof \WP_Post || ! is_eligible( $post ) ) {
		return null;
	}
	static $found = array();
	if ( ! array_key_exists( $post->ID, $found ) ) {
		try {
			$version = find_version( $post->ID, cid_of( text_of( $post ) ) );
		} catch ( \RuntimeException $error ) {
			// If the markup is too large to parse, readers get the post without marks.
			$version = null;
		}
		$found[ $post->ID ] = $version && '' !== $version->reference ? $version : null;
	}
	return $found[ $post->ID ];
}

/** Permanent URL of the exact text with this CID. */
function text_url( string $cid ): string {
	return add_query_arg( 'imprimatur_text', $cid, home_url( '/' ) );
}

function print_head(): void {
	$version = shown_version();
	if ( ! $version ) {
		return;
	}
	$identifier = array( '@type' => 'PropertyValue', 'propertyID' => 'attestation', 'value' => $version->reference );
	$article    = array( '@context' => 'https://schema.org', '@type' => 'NewsArticle', 'identifier' => $identifier );
	$json       = wp_json_encode( $article, JSON_UNESCAPED_SLASHES | JSON_HEX_TAG | JSON_HEX_AMP );
	echo "<script type=\"application/ld+json\">$json</script>\n";
	printf( '<link rel="alternate" type="text/plain" title="Attested text" href="%s" />' . "\n", esc_url( text_url( $version->cid ) ) );
}

/** Adds the badge to an article: a link to the page for readers. */
function add_badge( string $content ): string {
	// The filter also runs for excerpts.
	$is_article = in_the_loop() && is_main_query() && ! doing_filter( 'get_the_excerpt' );
	$version    = $is_article && '' !== reader_url() ? shown_version() : null;
	if ( ! $version || get_the_ID() !== (int) $version->post_id ) {
		return $content;
	}
	$icon = '<svg aria-hidden="true" focusable="false" width="16" height="16" viewBox="0 0 16 16" fill="none" '
		. 'stroke="currentColor" stroke-width="1.5"><circle cx="7" cy="7" r="5"/><path d="m11 11 4 4"/></svg>';
	return sprintf(
		"%s\n<p><a class=\"attestation-badge\" href=\"%s\">%s %s</a></p>\n",
		$content,
		esc_url( reader_url() ) . '#' . esc_attr( $version->reference ),
		$icon,
		esc_html( get_option( 'imprimatur_badge', 'Check who published this, and when' ) )
	);
}

/** Serves the attested bytes of any version while its post is public. */
function serve_text(): void {
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended
	$cid = $_GET['imprimatur_text'] ?? null;
	if ( null === $cid ) {
		return;
	}
	$text = is_string( $cid ) && preg_match( '/^b[a-z2-7]{58}$/D', $cid ) ? public_text( $cid ) : null;
	while ( ob_get_level() > 0 && ob_end_clean() ) {
		continue;
	}
	status_header( null === $text ? 404 : 200 );
	header( 'Content-Type: text/plain; charset=utf-8' );
	header( 'X-Content-Type-Options: nosniff' );
	header( 'Access-Control-Allow-Origin: *' );
	// The post may become private later.
	header( 'Cache-Control: no-cache' );
	echo $text ?? "This text does not exist.\n"; // phpcs:ignore WordPress.Security.EscapeOutput
	exit;
}
