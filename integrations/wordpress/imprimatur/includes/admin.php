<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

const PAGE = 'imprimatur';

function add_page(): void {
	add_options_page( 'Imprimatur', 'Imprimatur', 'manage_options', PAGE, __NAMESPACE__ . '\print_page' );
}

/** Registers the settings. `options.php` checks the capability and the nonce. */
function register_settings(): void {
	$text = fn( $value ) => sanitize_text_field( (string) $value );
	$sanitizers = array(
		'imprimatur_api_url'    => fn( $value ) => sanitize_url_setting( 'imprimatur_api_url', $value ),
		'imprimatur_api_key'    => __NAMESPACE__ . '\sanitize_key_setting',
		'imprimatur_reader_url' => fn( $value ) => sanitize_url_setting( 'imprimatur_reader_url', $value ),
		'imprimatur_badge'      => $text,
		'imprimatur_delay'      => fn( $value ) => (string) max( 0, min( 1440, (int) $value ) ),
		'imprimatur_types'      => fn( $value ) => array_values( array_intersect( possible_types(), (array) $value ) ),
	);
	foreach ( $sanitizers as $name => $sanitize ) {
		register_setting( PAGE, $name, array( 'sanitize_callback' => $sanitize ) );
	}
	if ( is_configured() && ! wp_next_scheduled( WORK ) ) {
		schedule();
	}
}

function sanitize_url_setting( string $name, $value ): string {
	$url = trim( (string) $value );
	if ( '' === $url || is_safe_url( $url ) ) {
		return $url;
	}
	add_settings_error( $name, $name, "$url is not valid: it must be https, without a user, query or fragment." );
	return (string) get_option( $name, '' );
}

/** The page never shows the key, so an empty field keeps it. */
function sanitize_key_setting( $value ): string {
	$key = trim( (string) $value );
	if ( '' === $key || preg_match( '/^imp_(live|test)_[0-9A-Za-z]{38}$/D', $key ) ) {
		return '' === $key ? (string) get_option( 'imprimatur_api_key', '' ) : $key;
	}
	add_settings_error( 'imprimatur_api_key', 'imprimatur_api_key', 'The API key is not valid: it must be imp_live_ or imp_test_ and 38 letters and digits.' );
	return (string) get_option( 'imprimatur_api_key', '' );
}

function print_page(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	$key_hint = defined( 'IMPRIMATUR_API_KEY' ) ? 'set in wp-config.php' : ( '' === api_key() ? '' : 'stored; leave empty to keep it' );
	$delay    = (int) get_option( 'imprimatur_delay', 5 );
	?>
	<div class="wrap">
	<h1>Imprimatur</h1>
	<p>Published posts are attested under your organization's name. <strong>This cannot be undone</strong>, and readers can verify a text even after its post was deleted.</p>
	<form method="post" action="options.php">
	<?php settings_fields( PAGE ); ?>
	<table class="form-table" role="presentation">
	<?php
	print_row( 'imprimatur_api_url', 'URL of the service', 'url', api_url(), '' );
	print_row( 'imprimatur_api_key', 'API key', 'password', '', $key_hint );
	print_row( 'imprimatur_reader_url', 'URL of the page for readers', 'url', reader_url(), 'for the badge; leave empty for no badge' );
	print_row( 'imprimatur_badge', 'Text of the badge', 'text', get_option( 'imprimatur_badge', 'Check who published this, and when' ), '' );
	print_row( 'imprimatur_delay', 'Delay in minutes', 'number', (string) $delay, 'several changes within this time are attested once' );
	?>
	<tr><th scope="row">Post types</th><td><fieldset><legend class="screen-reader-text">Post types</legend>
	<input type="hidden" name="imprimatur_types[]" value="" />
	<?php foreach ( possible_types() as $type ) : ?>
	<label><input type="checkbox" name="imprimatur_types[]" value="<?php echo esc_attr( $type ); ?>" <?php checked( in_array( $type, attested_types(), true ) ); ?> /> <?php echo esc_html( $type ); ?></label><br />
	<?php endforeach; ?>
	</fieldset></td></tr>
	</table>
	<?php submit_button(); ?>
	</form>
	<?php print_versions(); ?>
	</div>
	<?php
}

function print_row( string $name, string $label, string $type, string $value, string $hint ): void {
	printf(
		'<tr><th scope="row"><label for="%1$s">%2$s</label></th><td><input class="regular-text" id="%1$s" name="%1$s" type="%3$s" value="%4$s" autocomplete="off" /><p class="description">%5$s</p></td></tr>',
		esc_attr( $name ),
		esc_html( $label ),
		esc_attr( $type ),
		esc_attr( $value ),
		esc_html( $hint )
	);
}

function print_versions(): void {
	$versions = select_versions( 'id, post_id, status, link, error, next_at, created_at FROM @ ORDER BY id DESC LIMIT %d', 50 );
	if ( ! $versions ) {
		return;
	}
	echo '<h2>Attestations</h2><table class="widefat striped"><thead><tr><th>Post</th><th>Created (UTC)</th><th>Status</th><th>Correction</th><th>Message</th><th></th></tr></thead><tbody>';
	foreach ( $versions as $version ) {
		$is_stopped = 'failed' === $version->status || 'failed' === $version->link;
		$again      = wp_nonce_url( admin_url( "admin-post.php?action=imprimatur_retry&id={$version->id}" ), "imprimatur_retry_{$version->id}" );
		printf(
			'<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>',
			esc_html( get_the_title( (int) $version->post_id ) ),
			esc_html( $version->created_at ),
			esc_html( $version->status ),
			esc_html( $version->link ),
			esc_html( $version->error ),
			$is_stopped ? '<a href="' . esc_url( $again ) . '">Try again</a>' : ''
		);
	}
	echo '</tbody></table>';
}

function retry(): void {
	$id = isset( $_GET['id'] ) ? (int) $_GET['id'] : 0;
	check_admin_referer( "imprimatur_retry_$id" );
	if ( ! current_user_can( 'manage_options' ) ) {
		wp_die( 'You are not allowed to do this.', 403 );
	}
	resume( 'id = %d', $id );
	schedule();
	wp_safe_redirect( admin_url( 'options-general.php?page=' . PAGE ) );
	exit;
}
