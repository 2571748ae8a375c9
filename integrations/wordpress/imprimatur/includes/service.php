<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/** Answer of the service. `status` is 0 if there was no answer. */
final class Answer {
	public int $status;
	public array $body;
	/** Seconds before a retry, if the service returned them. */
	public ?int $retry_after;

	public function __construct( int $status, array $body, ?int $retry_after ) {
		$this->status      = $status;
		$this->body        = $body;
		$this->retry_after = $retry_after;
	}

	/** Whether the request was accepted and the answer has the service's format. */
	public function is_accepted(): bool {
		return in_array( $this->status, array( 200, 202 ), true ) && is_string( $this->body['id'] ?? null ) && is_string( $this->body['status'] ?? null );
	}

	/** Whether the same request may be accepted later. */
	public function is_temporary(): bool {
		$is_delegation_missing = 409 === $this->status && false !== strpos( $this->message(), 'no active delegation' );
		// A success status without the service's format comes from a proxy.
		return $this->status < 400 || $this->status >= 500 || $is_delegation_missing || in_array( $this->status, array( 401, 403, 408, 429 ), true );
	}

	public function message(): string {
		$error = $this->body['error'] ?? null;
		return is_string( $error ) ? $error : ( $this->status ? "the service answered {$this->status}" : 'the service cannot be reached' );
	}
}

/** Sends a request. Follows no redirects, so only the configured host gets the key. */
function send_request( string $method, string $path, ?array $body = null ): Answer {
	$response = wp_remote_request(
		api_url() . "/v1/$path",
		array(
			'method'              => $method,
			'timeout'             => 15,
			'redirection'         => 0,
			'limit_response_size' => 1048576,
			'user-agent'          => 'imprimatur-wordpress/0.1.0',
			'headers'             => array(
				'Authorization' => 'Bearer ' . api_key(),
				'Accept'        => 'application/json',
				'Content-Type'  => 'application/json',
			),
			// Not wp_json_encode, which changes invalid UTF-8 instead of failing.
			'body'                => null === $body ? null : json_encode( $body, JSON_THROW_ON_ERROR ),
		)
	);
	if ( is_wp_error( $response ) ) {
		return new Answer( 0, array(), null );
	}
	$after = wp_remote_retrieve_header( $response, 'retry-after' );
	$json  = json_decode( wp_remote_retrieve_body( $response ), true );
	return new Answer(
		(int) wp_remote_retrieve_response_code( $response ),
		is_array( $json ) ? $json : array(),
		is_string( $after ) && ctype_digit( $after ) ? min( (int) $after, DAY_IN_SECONDS ) : null
	);
}
