<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/**
 * Table of all texts that were or will be attested. `status` is `queued` until the service has accepted the text, and
 * then the service's status; a refused text is `failed`. `link` is the state of the link from the previous version to
 * this one: empty, `due`, `queued`, `linked` or `failed`. `next_at` is the time of the next step; null without one.
 */
function table(): string {
	global $wpdb;
	return $wpdb->prefix . 'imprimatur_versions';
}

function install_table(): void {
	if ( '1' === get_option( 'imprimatur_schema' ) ) {
		return;
	}
	global $wpdb;
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	$table = table();
	// `content` is a blob, because a collation could change or refuse some bytes.
	dbDelta( "CREATE TABLE $table (
		id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
		post_id bigint(20) unsigned NOT NULL,
		cid varchar(64) NOT NULL,
		content longblob NOT NULL,
		status varchar(20) NOT NULL,
		attestation_id varchar(36) NOT NULL DEFAULT '',
		reference varchar(255) NOT NULL DEFAULT '',
		link varchar(20) NOT NULL DEFAULT '',
		error text NOT NULL,
		tries int(11) NOT NULL DEFAULT 0,
		next_at bigint(20) DEFAULT NULL,
		created_at datetime NOT NULL,
		PRIMARY KEY  (id),
		UNIQUE KEY post_text (post_id, cid),
		KEY cid (cid),
		KEY next_at (next_at)
	) {$wpdb->get_charset_collate()};" );
	// "no" prevents WordPress from loading the key with every page.
	add_option( 'imprimatur_api_key', '', '', 'no' );
	update_option( 'imprimatur_schema', '1' );
}

/** Selects rows. `@` in the statement is replaced with the table. @return object[] */
function select_versions( string $sql, ...$values ): array {
	global $wpdb;
	return $wpdb->get_results( $wpdb->prepare( 'SELECT ' . str_replace( '@', table(), $sql ), $values ) );
}

/** Runs a statement. `@` is replaced with the table. */
function change_versions( string $sql, ...$values ): void {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( str_replace( '@', table(), $sql ), $values ) );
}

/**
 * Queues a text of a post, unless it already exists. Replaces versions that were never sent. Resumes the version if it
 * failed, or stopped because the post was not public.
 */
function put_version( int $post_id, string $text ): void {
	$cid = cid_of( $text );
	change_versions( "DELETE FROM @ WHERE post_id = %d AND cid <> %s AND status = 'queued' AND tries = 0", $post_id, $cid );
	change_versions(
		"INSERT IGNORE INTO @ (post_id, cid, content, status, error, next_at, created_at) VALUES (%d, %s, UNHEX(%s), 'queued', '', %d, %s)",
		$post_id,
		$cid,
		bin2hex( $text ),
		time(),
		gmdate( 'Y-m-d H:i:s' )
	);
	resume( 'post_id = %d AND cid = %s AND next_at IS NULL', $post_id, $cid );
}

function resume( string $where, ...$values ): void {
	$now = time();
	change_versions( "UPDATE @ SET status = 'queued', attestation_id = '', error = '', tries = 0, next_at = $now WHERE $where AND status = 'failed'", ...$values );
	change_versions( "UPDATE @ SET link = 'due', error = '', tries = 0, next_at = $now WHERE $where AND link IN ('due', 'failed')", ...$values );
	change_versions( "UPDATE @ SET next_at = $now WHERE $where AND status = 'queued'", ...$values );
}

function save_version( object $version, array $fields ): void {
	global $wpdb;
	$wpdb->update( table(), $fields, array( 'id' => $version->id ) );
}

/** Finds versions with a due step, oldest first. @return object[] */
function due_versions(): array {
	return select_versions( '* FROM @ WHERE next_at <= %d ORDER BY id LIMIT 50', time() );
}

function find_version( int $post_id, string $cid ): ?object {
	return select_versions( '* FROM @ WHERE post_id = %d AND cid = %s', $post_id, $cid )[0] ?? null;
}

/** Finds the version that this one corrects: the newest earlier version that was or will be sent. */
function previous_version( object $version ): ?object {
	return select_versions(
		"id, status, attestation_id FROM @ WHERE post_id = %d AND id < %d
			AND (status IN ('pending', 'committed', 'confirmed') OR (status = 'queued' AND next_at IS NOT NULL))
			ORDER BY id DESC LIMIT 1",
		$version->post_id,
		$version->id
	)[0] ?? null;
}

/** Queues the link of the next version again. That link skipped this version while this version was not attested. */
function relink_next( object $version ): void {
	change_versions(
		"UPDATE @ SET link = 'due', error = '', tries = 0, next_at = %d WHERE post_id = %d AND id > %d AND status = 'confirmed' ORDER BY id LIMIT 1",
		time(),
		$version->post_id,
		$version->id
	);
}

/** Returns the text with this CID, if its post is public. */
function public_text( string $cid ): ?string {
	foreach ( select_versions( "post_id, content FROM @ WHERE cid = %s AND attestation_id <> ''", $cid ) as $version ) {
		$post = get_post( (int) $version->post_id );
		if ( $post && is_eligible( $post ) ) {
			return $version->content;
		}
	}
	return null;
}

function forget_post( int $post_id ): void {
	global $wpdb;
	$wpdb->delete( table(), array( 'post_id' => $post_id ) );
}
