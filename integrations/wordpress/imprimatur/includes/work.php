<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

const DUE           = '_imprimatur_due';
const POLL_SECONDS  = 15;
const MAX_TEXT      = 1048576;
const LONGEST_PAUSE = HOUR_IN_SECONDS;

/** Records that a post's text may have changed. Sends nothing, so publishing stays fast. Idempotent. */
function note_change( int $post_id, \WP_Post $post ): void {
	// The metadata of a revision belongs to its post, so an ineligible autosave must not delete the post's mark.
	if ( wp_is_post_revision( $post_id ) ) {
		return;
	}
	if ( ! is_eligible( $post ) ) {
		delete_post_meta( $post_id, DUE );
		return;
	}
	if ( defined( 'WP_IMPORTING' ) && \WP_IMPORTING ) {
		return;
	}
	// Unique, so that a change in the same second is not mistaken for an earlier one.
	update_post_meta( $post_id, DUE, uniqid( ( time() + delay_seconds() ) . ' ' ) );
	schedule();
}

/** Posts with a change that is due. @return object[] */
function due_posts(): array {
	global $wpdb;
	return $wpdb->get_results( $wpdb->prepare( "SELECT post_id, meta_value FROM $wpdb->postmeta WHERE meta_key = %s AND meta_value + 0 <= %d LIMIT 200", DUE, time() ) );
}

/** Schedules the work for the next due time. */
function schedule(): void {
	global $wpdb;
	$table = table();
	$times = array(
		$wpdb->get_var( "SELECT MIN(next_at) FROM $table" ),
		$wpdb->get_var( $wpdb->prepare( "SELECT MIN(meta_value + 0) FROM $wpdb->postmeta WHERE meta_key = %s", DUE ) ),
	);
	$times = array_filter( $times, fn( $time ) => null !== $time );
	wp_clear_scheduled_hook( WORK );
	if ( $times && is_configured() ) {
		wp_schedule_single_event( max( time(), (int) min( $times ) ), WORK );
	}
}

/** Does the due work for about 20 seconds. The next run continues. */
function work(): void {
	global $wpdb;
	if ( ! is_configured() ) {
		return;
	}
	// If this process ends early, the scheduled run continues.
	wp_clear_scheduled_hook( WORK );
	wp_schedule_single_event( time() + 5 * MINUTE_IN_SECONDS, WORK );
	// Locks apply to the whole database server, which several sites may share.
	$lock = $wpdb->prepare( '%s', md5( DB_NAME . table() ) );
	if ( '1' !== $wpdb->get_var( "SELECT GET_LOCK($lock, 0)" ) ) {
		return;
	}
	$until = time() + 20;
	try {
		array_map( __NAMESPACE__ . '\take_change', due_posts() );
		foreach ( due_versions() as $version ) {
			if ( time() < $until ) {
				advance( $version );
			}
		}
	} finally {
		$wpdb->query( "DO RELEASE_LOCK($lock)" );
		schedule();
	}
}

/** The stored post. WordPress's cache may not contain changes by other processes. */
function stored_post( int $id ): ?\WP_Post {
	wp_cache_delete( $id, 'posts' );
	wp_cache_delete( $id, 'post_meta' );
	return get_post( $id );
}

function take_change( object $due ): void {
	$post = stored_post( (int) $due->post_id );
	if ( $post && is_eligible( $post ) ) {
		try {
			$text = text_of( $post );
			if ( '' !== trim( $text ) ) {
				put_version( $post->ID, $text );
			}
		} catch ( \RuntimeException $error ) {
			// A post without readable text cannot be attested until it changes.
			error_log( "imprimatur: post {$post->ID}: {$error->getMessage()}" );
		}
	}
	// With the value, so that a newer change stays.
	delete_post_meta( (int) $due->post_id, DUE, $due->meta_value );
}

function advance( object $version ): void {
	if ( 'queued' === $version->status ) {
		if_public( $version, __NAMESPACE__ . '\send' );
	} elseif ( 'confirmed' !== $version->status ) {
		look( $version );
	} elseif ( 'due' === $version->link ) {
		if_public( $version, __NAMESPACE__ . '\link' );
	} else {
		look_at_link( $version );
	}
}

/** Acts on a version if its post is still public; otherwise stops it. */
function if_public( object $version, callable $act ): void {
	$post = stored_post( (int) $version->post_id );
	if ( $post && is_eligible( $post ) ) {
		$act( $version, $post );
	} else {
		save_version( $version, array( 'next_at' => null ) );
	}
}

function send( object $version, \WP_Post $post ): void {
	if ( strlen( $version->content ) > MAX_TEXT || ! preg_match( '//u', $version->content ) ) {
		stop( $version, 'the text is not UTF-8, or has more than 1,048,576 bytes' );
		return;
	}
	// Counted first: if this process ends early, the service may have received the text.
	save_version( $version, array( 'tries' => ++$version->tries ) );
	$url    = (string) get_permalink( $post );
	$answer = ask( 'POST', 'attestations', array( 'content' => $version->content, 'url' => $url ) );
	if ( ! $answer->is_accepted() ) {
		refused( $version, $answer );
	} elseif ( ( $answer->body['contentCid'] ?? '' ) !== $version->cid ) {
		stop( $version, 'the service attested a different text' );
	} else {
		$pause = 'confirmed' === $answer->body['status'] ? 0 : POLL_SECONDS;
		accepted( $version, array( 'status' => 'pending', 'attestation_id' => $answer->body['id'] ), $pause );
	}
}

function look( object $version ): void {
	$answer = ask( 'GET', "attestations/{$version->attestation_id}" );
	if ( ! $answer->is_accepted() ) {
		refused( $version, $answer );
		return;
	}
	$seen = $answer->body;
	if ( 'failed' === $seen['status'] ) {
		stop( $version, (string) ( $seen['error'] ?? 'the attestation failed' ) );
	} elseif ( 'confirmed' !== $seen['status'] ) {
		accepted( $version, array( 'status' => $seen['status'] ), $answer->retry_after ?? POLL_SECONDS );
	} elseif ( ! isset( $seen['chainId'], $seen['registryAddress'], $seen['attestationIndex'], $seen['authorityAddress'] ) ) {
		refused( $version, $answer );
	} else {
		$reference = "eip155:{$seen['chainId']}:{$seen['registryAddress']}/{$seen['attestationIndex']}/{$seen['authorityAddress']}/{$version->cid}";
		accepted( $version, array( 'status' => 'confirmed', 'reference' => $reference, 'link' => 'due' ), 0 );
		relink_next( $version );
	}
}

/** Links the previous version to this one when both are confirmed. */
function link( object $version ): void {
	$before = version_before( $version );
	if ( ! $before || $before->attestation_id === $version->attestation_id ) {
		accepted( $version, array( 'link' => '' ), null );
	} elseif ( 'confirmed' !== $before->status ) {
		accepted( $version, array(), POLL_SECONDS );
	} else {
		$answer = ask( 'POST', "attestations/{$before->attestation_id}/child", array( 'childAttestationId' => $version->attestation_id ) );
		if ( $answer->is_accepted() ) {
			linked( $version, $answer );
		} else {
			refused( $version, $answer );
		}
	}
}

function look_at_link( object $version ): void {
	$before = version_before( $version );
	$answer = $before ? ask( 'GET', "attestations/{$before->attestation_id}" ) : null;
	if ( ! $answer ) {
		accepted( $version, array( 'link' => '' ), null );
	} elseif ( $answer->is_accepted() ) {
		linked( $version, $answer );
	} else {
		refused( $version, $answer );
	}
}

function linked( object $version, Answer $answer ): void {
	$seen = $answer->body;
	if ( isset( $seen['childLinkError'] ) ) {
		stop( $version, $seen['childLinkError'] );
	} elseif ( ( $seen['childAttestationId'] ?? null ) !== $version->attestation_id ) {
		stop( $version, 'the previous version was linked to another attestation in the meantime' );
	} elseif ( isset( $seen['childLinkTxHash'] ) ) {
		accepted( $version, array( 'link' => 'linked' ), null );
	} else {
		accepted( $version, array( 'link' => 'queued' ), POLL_SECONDS );
	}
}

/** @param ?int $pause seconds until the next step; null without one */
function accepted( object $version, array $fields, ?int $pause ): void {
	$next_at = null === $pause ? null : time() + $pause;
	save_version( $version, $fields + array( 'error' => '', 'tries' => 0, 'next_at' => $next_at ) );
}

function refused( object $version, Answer $answer ): void {
	if ( ! $answer->is_temporary() ) {
		stop( $version, $answer->message() );
		return;
	}
	$tries = (int) $version->tries + ( 'queued' === $version->status ? 0 : 1 );
	$pause = $answer->retry_after ?? min( LONGEST_PAUSE, 30 * 2 ** min( $tries, 10 ) );
	save_version( $version, array( 'tries' => $tries, 'error' => $answer->message(), 'next_at' => time() + $pause ) );
}

/** Stops a version until an administrator retries it. */
function stop( object $version, string $error ): void {
	$field = 'confirmed' === $version->status ? 'link' : 'status';
	save_version( $version, array( $field => 'failed', 'error' => $error, 'next_at' => null ) );
}
