export function override<Port extends object>(port: Port, overrides: Partial<Port>): Port {
  return new Proxy(port, {
    get: (target, property) => {
      if (property in overrides) return Reflect.get(overrides, property);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Makes a port that runs `act` before the first `times` calls of a function. */
export function interrupt<Port extends object>(
  port: Port,
  name: keyof Port & string,
  act: () => unknown,
  times = 1,
): Port {
  let remaining = times;
  const call = async (...args: unknown[]) => {
    if (remaining-- > 0) await act();
    return Reflect.apply(port[name] as () => unknown, port, args);
  };
  return override(port, { [name]: call } as Partial<Port>);
}
