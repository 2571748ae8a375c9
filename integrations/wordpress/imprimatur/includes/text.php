<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

const HIDDEN = 'script|style|template|noscript|iframe|object|svg|math|audio|video|canvas|select';
const BLOCKS = 'address|article|aside|blockquote|button|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|legend|li|main|nav|ol|optgroup|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul';
const TAG    = '(?:"[^"]*"|\'[^\']*\'|[^\'">])*>';

/**
 * Makes the exact text of a post from its stored title and content, without markup. Themes and other plugins affect it
 * only through the filter, so that an unchanged post keeps its text.
 */
function text_of( \WP_Post $post ): string {
	$blocks = array_merge( array( plain_text( $post->post_title ) ), paragraphs( $post->post_content ) );
	$blocks = array_filter( $blocks, fn( $block ) => '' !== $block );
	return (string) apply_filters( 'imprimatur_text', implode( "\n\n", $blocks ) . "\n", $post );
}

/** Splits content into blocks. @return string[] */
function paragraphs( string $content ): array {
	$html  = has_blocks( $content ) ? $content : wpautop( $content );
	$html  = replace_or_throw( '/<!--.*?-->/s', '', $html );
	$html  = replace_or_throw( '#<(' . HIDDEN . ')\b' . TAG . '.*?</\1\s*>#is', '', $html );
	$found = array();
	foreach ( preg_split( '#(<pre\b.*?</pre\s*>)#is', $html, -1, PREG_SPLIT_DELIM_CAPTURE ) as $part ) {
		if ( 0 === stripos( $part, '<pre' ) ) {
			$lines   = replace_or_throw( '#<br\s*/?>#i', "\n", str_replace( array( "\r\n", "\r" ), "\n", $part ) );
			$found[] = trim( without_markup( $lines ), "\n" );
			continue;
		}
		$part = replace_or_throw( '/[ \t\r\n\f]+/', ' ', $part );
		$part = replace_or_throw( '#<br\b' . TAG . '#i', "\n", $part );
		foreach ( preg_split( '#</?(?:' . BLOCKS . ')\b' . TAG . '#i', $part ) as $block ) {
			$found[] = plain_text( $block );
		}
	}
	return $found;
}

function plain_text( string $html ): string {
	return trim( replace_or_throw( '/ *\n */', "\n", without_markup( $html ) ), " \n" );
}

/** Removes tags and decodes character references. Text such as "<3", which is not a tag, stays. */
function without_markup( string $html ): string {
	return html_entity_decode( replace_or_throw( '#</?[a-z]' . TAG . '#i', '', $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
}

/** Like `preg_replace`, but throws if that fails, because a partial text would be another text. */
function replace_or_throw( string $pattern, string $replacement, string $text ): string {
	$result = preg_replace( $pattern, $replacement, $text );
	if ( null === $result ) {
		throw new \RuntimeException( 'the markup cannot be read' );
	}
	return $result;
}

/** IPFS CID of a text: CIDv1, codec raw, sha2-256, in base32. */
function cid_of( string $text ): string {
	$bytes  = "\x01\x55\x12\x20" . hash( 'sha256', $text, true );
	$bits   = implode( '', array_map( fn( $byte ) => sprintf( '%08b', ord( $byte ) ), str_split( $bytes ) ) );
	$digits = array_map( fn( $five ) => 'abcdefghijklmnopqrstuvwxyz234567'[ bindec( str_pad( $five, 5, '0' ) ) ], str_split( $bits, 5 ) );
	return 'b' . implode( '', $digits );
}
