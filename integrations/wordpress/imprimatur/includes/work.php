<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

const DUE          = '_imprimatur_due';
const POLL_SECONDS = 15;
const MAX_TEXT     = 1048576;
const MAX_PAUSE    = HOUR_IN_SECONDS;

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
	// The value is unique, so that a change in the same second is not mistaken for an earlier one.
	update_post_meta( $post_id, DUE, uniqid( ( time() + delay_seconds() ) . ' ' ) );
	schedule();
}

/** Finds posts with a due change. @return object[] */
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

/** Does due work for about 20 seconds. The next run continues. */
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
		array_map( __NAMESPACE__ . '\process_change', due_posts() );
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

/** Reads the stored post, because WordPress's cache may not contain changes by other processes. */
function stored_post( int $id ): ?\WP_Post {
	wp_cache_delete( $id, 'posts' );
	wp_cache_delete( $id, 'post_meta' );
	return get_post( $id );
}

function process_change( object $due ): void {
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
	// Delete only this value, so that a newer change stays.
	delete_post_meta( (int) $due->post_id, DUE, $due->meta_value );
}

function advance( object $version ): void {
	if ( 'queued' === $version->status ) {
		act_if_public( $version, __NAMESPACE__ . '\send' );
	} elseif ( 'confirmed' !== $version->status ) {
		poll( $version );
	} elseif ( 'due' === $version->link ) {
		act_if_public( $version, __NAMESPACE__ . '\link' );
	} else {
		poll_link( $version );
	}
}

/** Acts on a version if its post is still public; otherwise stops it. */
function act_if_public( object $version, callable $act ): void {
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
	// Count the attempt first. If this process ends early, the service may have received the text.
	save_version( $version, array( 'tries' => ++$version->tries ) );
	$url    = (string) get_permalink( $post );
	$answer = send_request( 'POST', 'attestations', array( 'content' => $version->content, 'url' => $url ) );
	if ( ! $answer->is_accepted() ) {
		record_refusal( $version, $answer );
	} elseif ( ( $answer->body['contentCid'] ?? '' ) !== $version->cid ) {
		stop( $version, 'the service attested a different text' );
	} else {
		$pause = 'confirmed' === $answer->body['status'] ? 0 : POLL_SECONDS;
		record_progress( $version, array( 'status' => 'pending', 'attestation_id' => $answer->body['id'] ), $pause );
	}
}

function poll( object $version ): void {
	$answer = send_request( 'GET', "attestations/{$version->attestation_id}" );
	if ( ! $answer->is_accepted() ) {
		record_refusal( $version, $answer );
		return;
	}
	$attestation = $answer->body;
	if ( 'failed' === $attestation['status'] ) {
		stop( $version, (string) ( $attestation['error'] ?? 'the attestation failed' ) );
	} elseif ( 'confirmed' !== $attestation['status'] ) {
		record_progress( $version, array( 'status' => $attestation['status'] ), $answer->retry_after ?? POLL_SECONDS );
	} elseif ( ! isset( $attestation['chainId'], $attestation['registryAddress'], $attestation['attestationIndex'], $attestation['authorityAddress'] ) ) {
		record_refusal( $version, $answer );
	} else {
		$reference = "eip155:{$attestation['chainId']}:{$attestation['registryAddress']}/{$attestation['attestationIndex']}/{$attestation['authorityAddress']}/{$version->cid}";
		record_progress( $version, array( 'status' => 'confirmed', 'reference' => $reference, 'link' => 'due' ), 0 );
		relink_next( $version );
	}
}

/** Links the previous version to this one when both are confirmed. */
function link( object $version ): void {
	$previous = previous_version( $version );
	if ( ! $previous || $previous->attestation_id === $version->attestation_id ) {
		record_progress( $version, array( 'link' => '' ), null );
	} elseif ( 'confirmed' !== $previous->status ) {
		record_progress( $version, array(), POLL_SECONDS );
	} else {
		$answer = send_request( 'POST', "attestations/{$previous->attestation_id}/child", array( 'childAttestationId' => $version->attestation_id ) );
		if ( $answer->is_accepted() ) {
			record_link( $version, $answer );
		} else {
			record_refusal( $version, $answer );
		}
	}
}

function poll_link( object $version ): void {
	$previous = previous_version( $version );
	$answer = $previous ? send_request( 'GET', "attestations/{$previous->attestation_id}" ) : null;
	if ( ! $answer ) {
		record_progress( $version, array( 'link' => '' ), null );
	} elseif ( $answer->is_accepted() ) {
		record_link( $version, $answer );
	} else {
		record_refusal( $version, $answer );
	}
}

function record_link( object $version, Answer $answer ): void {
	$attestation = $answer->body;
	if ( isset( $attestation['childLinkError'] ) ) {
		stop( $version, $attestation['childLinkError'] );
	} elseif ( ( $attestation['childAttestationId'] ?? null ) !== $version->attestation_id ) {
		stop( $version, 'the previous version was linked to another attestation in the meantime' );
	} elseif ( isset( $attestation['childLinkTxHash'] ) ) {
		record_progress( $version, array( 'link' => 'linked' ), null );
	} else {
		record_progress( $version, array( 'link' => 'queued' ), POLL_SECONDS );
	}
}

/** @param ?int $pause seconds until the next step; null without one */
function record_progress( object $version, array $fields, ?int $pause ): void {
	$next_at = null === $pause ? null : time() + $pause;
	save_version( $version, $fields + array( 'error' => '', 'tries' => 0, 'next_at' => $next_at ) );
}

function record_refusal( object $version, Answer $answer ): void {
	if ( ! $answer->is_temporary() ) {
		stop( $version, $answer->message() );
		return;
	}
	$tries = (int) $version->tries + ( 'queued' === $version->status ? 0 : 1 );
	$pause = $answer->retry_after ?? min( MAX_PAUSE, 30 * 2 ** min( $tries, 10 ) );
	save_version( $version, array( 'tries' => $tries, 'error' => $answer->message(), 'next_at' => time() + $pause ) );
}

/** Stops a version until an administrator retries it, or the post is saved with its text again. */
function stop( object $version, string $error ): void {
	$field = 'confirmed' === $version->status ? 'link' : 'status';
	save_version( $version, array( $field => 'failed', 'error' => $error, 'next_at' => null ) );
}
