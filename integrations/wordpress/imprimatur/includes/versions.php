<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/**
 * Versions of posts: every text that was or is to be attested, and how far that is. `status` is `queued` until the service
 * has accepted the text, then the service's; `link` is that of the version before to this one: empty, `due`, `queued`,
 * `linked` or `failed`. `next_at` is when there is something to do, null for never.
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
	// The content is bytes: a collation would change or refuse some of them.
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
	// Not among the options that every request reads.
	add_option( 'imprimatur_api_key', '', '', 'no' );
	update_option( 'imprimatur_schema', '1' );
}

/** Rows of the table, by what follows `SELECT` with `FROM @` in it. @return object[] */
function select_versions( string $sql, ...$values ): array {
	global $wpdb;
	return $wpdb->get_results( $wpdb->prepare( 'SELECT ' . str_replace( '@', table(), $sql ), $values ) );
}

/** Changes rows of the table, by a statement in which `@` stands for it. */
function change_versions( string $sql, ...$values ): void {
	global $wpdb;
	$wpdb->query( $wpdb->prepare( str_replace( '@', table(), $sql ), $values ) );
}

/**
 * Puts a text of a post into the queue, if it is not there. Versions that were never sent give way to it; one that stopped,
 * because it failed or the post was not public, goes on.
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

/** Has versions that stopped go on. */
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

/** Versions with something to do, oldest first. @return object[] */
function due_versions(): array {
	return select_versions( '* FROM @ WHERE next_at <= %d ORDER BY id LIMIT 50', time() );
}

function find_version( int $post_id, string $cid ): ?object {
	return select_versions( '* FROM @ WHERE post_id = %d AND cid = %s', $post_id, $cid )[0] ?? null;
}

/** The version that this one corrects: the newest one before it that the service has, or is to have. */
function version_before( object $version ): ?object {
	return select_versions(
		"id, status, attestation_id FROM @ WHERE post_id = %d AND id < %d
			AND (status IN ('pending', 'committed', 'confirmed') OR (status = 'queued' AND next_at IS NOT NULL))
			ORDER BY id DESC LIMIT 1",
		$version->post_id,
		$version->id
	)[0] ?? null;
}

/** Has the next version after this one linked anew: it was linked to an earlier one while this one was not attested. */
function relink_next( object $version ): void {
	change_versions(
		"UPDATE @ SET link = 'due', error = '', tries = 0, next_at = %d WHERE post_id = %d AND id > %d AND status = 'confirmed' ORDER BY id LIMIT 1",
		time(),
		$version->post_id,
		$version->id
	);
}

/** Text with this CID, of a post that is public now. */
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
