<?php
namespace Imprimatur;

defined( 'ABSPATH' ) || exit;

/** Answer of the service; `status` is 0 where there was none. */
final class Answer {
	public int $status;
	public array $body;
	/** Seconds after which to ask again, where the service says so. */
	public ?int $retry_after;

	public function __construct( int $status, array $body, ?int $retry_after ) {
		$this->status      = $status;
		$this->body        = $body;
		$this->retry_after = $retry_after;
	}

	/** Whether the request was accepted, and the answer is this service's. */
	public function is_accepted(): bool {
		return in_array( $this->status, array( 200, 202 ), true ) && is_string( $this->body['id'] ?? null ) && is_string( $this->body['status'] ?? null );
	}

	/** Whether the same request may be accepted later, when something else has changed. */
	public function may_pass(): bool {
		$is_delegation_missing = 409 === $this->status && false !== strpos( $this->message(), 'no active delegation' );
		// An answer that is not this service's is that of a proxy before it.
		return $this->status < 400 || $this->status >= 500 || $is_delegation_missing || in_array( $this->status, array( 401, 403, 408, 429 ), true );
	}

	public function message(): string {
		$error = $this->body['error'] ?? null;
		return is_string( $error ) ? $error : ( $this->status ? "the service answered {$this->status}" : 'the service cannot be reached' );
	}
}

/** Sends a request. The key goes to the configured host alone: no redirect is followed. */
function ask( string $method, string $path, ?array $body = null ): Answer {
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
			// Not wp_json_encode, which changes text that is not UTF-8 in place of failing.
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
