/** Creates a value on first use and caches it. A failure is not cached. */
export function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return async () => {
    value ??= create();
    try {
      return await value;
    } catch (error) {
      value = undefined;
      throw error;
    }
  };
}
