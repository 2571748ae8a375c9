/** Replaces some of a port's functions. */
export function overriding<Port extends object>(port: Port, own: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, property) => {
      if (property in own) return Reflect.get(own, property);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A port for which something else happens before the first calls of a function. */
export function interrupted<Port extends object>(
  port: Port,
  name: keyof Port & string,
  act: () => unknown,
  times = 1,
): Port {
  let left = times;
  const call = async (...given: unknown[]) => {
    if (left-- > 0) await act();
    return Reflect.apply(port[name] as () => unknown, port, given);
  };
  return overriding(port, { [name]: call } as Partial<Port>);
}
