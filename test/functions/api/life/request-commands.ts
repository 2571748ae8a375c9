import fc from 'fast-check';
import { publisherAt } from './answers.ts';
import { asked, askingOf, extras, idOf, linkedRow, rowUnderWay, target, text, who } from './choices.ts';
import { command, isReachable, often, told } from './command.ts';
import { create, createAtOnce, createInvalid } from './creation.ts';
import { standingRow } from './life-model.ts';
import { link } from './linking.ts';
import { get, list, listChains, listInvalid, pageThrough } from './reading.ts';
import { setReach, workAttestation } from './work.ts';

const creation = [
  often(
    8,
    fc
      .tuple(asked, text, extras)
      .map(([who, content, more]) =>
        command(`create ${told([who, content, more])}`, (model, world) =>
          create(model, world, askingOf(model, who), content, more),
        ),
      ),
  ),
  often(
    2,
    fc
      .tuple(who, text, fc.integer({ min: 2, max: 5 }))
      .map(([number, content, times]) =>
        command(`create ${times} at once ${told([number, content])}`, (model, world) =>
          createAtOnce(model, world, publisherAt(model, number), content, times),
        ),
      ),
  ),
  often(
    1,
    fc
      .tuple(asked, fc.nat(20))
      .map(([who, body]) =>
        command(`create invalid ${told([who, body])}`, (model) => createInvalid(askingOf(model, who), body)),
      ),
  ),
];

const isUuid = (id: string): boolean => /^.{8}-.{4}-.{4}-.{4}-.{12}$/.test(id);

const reading = [
  often(
    5,
    fc.tuple(asked, target, fc.constantFrom([false], [true], [false, true])).map(([who, aim, conditional]) =>
      command(`get ${told([who, aim, conditional])}`, async (model) => {
        const asking = askingOf(model, who);
        const id = idOf(model, asking.publisher, aim);
        for (const one of conditional) await get(asking, id, one);
      }),
    ),
  ),
  often(
    2,
    fc.tuple(asked, fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })).map(([who, limit]) =>
      command(`list ${told([who, limit])}`, async (model) => {
        await list(askingOf(model, who), limit === undefined ? {} : { limit });
      }),
    ),
  ),
  often(
    1,
    fc.tuple(asked, target).map(([who, aim]) =>
      command(`list from ${told([who, aim])}`, async (model) => {
        const asking = askingOf(model, who);
        const cursor = idOf(model, asking.publisher, aim);
        await (isUuid(cursor) ? list(asking, { cursor }) : listInvalid(asking, 'cursor', cursor));
      }),
    ),
  ),
  often(
    1,
    fc
      .tuple(asked, fc.constantFrom('0', '201', '-1', '1.5', 'x', ''))
      .map(([who, limit]) =>
        command(`list invalid ${told([who, limit])}`, (model) =>
          listInvalid(askingOf(model, who), 'limit', limit),
        ),
      ),
  ),
  often(
    2,
    fc
      .tuple(who, fc.integer({ min: 1, max: 3 }), fc.array(fc.boolean(), { maxLength: 4 }))
      .map(([number, limit, arriving]) =>
        command(`page ${told([number, limit, arriving])}`, (model, world) =>
          pageThrough(model, world, publisherAt(model, number), { limit, arriving }),
        ),
      ),
  ),
];

const chains = [
  often(
    1,
    asked.map((who) =>
      command(`list chains ${told(who)}`, (model, world) => listChains(model, world, askingOf(model, who))),
    ),
  ),
];

const linking = [
  often(
    8,
    fc.tuple(asked, target, target).map(([who, parent, child]) =>
      command(`link ${told([who, parent, child])}`, (model, world) => {
        const asking = askingOf(model, who);
        const [id = '', childId = ''] = [parent, child].map((aim) => idOf(model, asking.publisher, aim));
        return link(model, world, asking, [id, childId]);
      }),
    ),
  ),
  often(
    4,
    fc.tuple(asked, fc.nat(9)).map(([who, number]) =>
      command(`link again ${told([who, number])}`, async (model, world) => {
        const asking = askingOf(model, who);
        const row = linkedRow(asking.publisher, number);
        if (row) await link(model, world, asking, [String(row.body.id), String(row.body.childAttestationId)]);
      }),
    ),
  ),
];

/** Two things after one another that seldom meet by chance. */
const meetings = [
  often(
    2,
    fc.tuple(asked, fc.nat(9), target).map(([who, number, child]) =>
      command(
        `work and link too soon ${told([who, number, child])}`,
        async (model, world) => {
          const asking = askingOf(model, who);
          const row = rowUnderWay(asking.publisher, number);
          if (!row) return;
          if (row.body.status === 'pending') await workAttestation(model, world, asking.publisher, row);
          await link(model, world, asking, [String(row.body.id), idOf(model, asking.publisher, child)]);
        },
        isReachable,
      ),
    ),
  ),
  often(
    2,
    fc.tuple(asked, text).map(([who, content]) =>
      command(`create out of reach, and work ${told([who, content])}`, async (model, world) => {
        const asking = askingOf(model, who);
        setReach(model, world, false);
        await create(model, world, asking, content);
        setReach(model, world, true);
        const row = standingRow(asking.publisher, content);
        if (row) await workAttestation(model, world, asking.publisher, row);
      }),
    ),
  ),
];

/** What organisations ask of the service. */
export const requestCommands = [...creation, ...reading, ...chains, ...linking, ...meetings];
