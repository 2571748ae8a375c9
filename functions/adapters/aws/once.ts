/** Creates a value on first use and caches it. A failure is not cached. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}
