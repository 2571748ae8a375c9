/** Card that says what a delegation means. */
export function Explanation() {
  return (
    <section class="card" aria-labelledby="meaning">
      <h2 id="meaning">What a delegate may do</h2>
      <ul>
        <li>Attest texts in your name, and link a text to its correction.</li>
        <li>Revoke an attestation of the last 7 days.</li>
        <li>Nothing else: it cannot move coins, and cannot name another delegate.</li>
      </ul>
      <p>
        You have one delegate in a registry; a new one replaces it. You can take the delegation back here at
        any time, even if the service is gone. What was attested stays.
      </p>
    </section>
  );
}
