// Valid and invalid requests, generated from the schemas alone.
import { type Json, type Parameter, resolved, type Schema, validator } from "./openapi";

export function valid_values({ schema: given }: Parameter): string[] {
  const schema = resolved<Schema>(given);
  const listed = schema.enum ?? schema.examples;
  if (listed) return listed.map(String);
  const numbers = [schema.default, schema.minimum, schema.maximum];
  const values = schema.type === "string" ? ["a", "ü ☃ <b>&", "x".repeat(schema.maxLength ?? 10)] : numbers;
  return values.filter((value) => value !== undefined).map(String);
}

export function invalid_values({ schema: given }: Parameter): string[] {
  const schema = resolved<Schema>(given);
  if (schema.enum) return ["unheard of", "", `${schema.enum[0]} `];
  if (schema.type === "string") return schema.maxLength === undefined ? [] : ["x".repeat(schema.maxLength + 1)];
  const outside = [(schema.minimum as number) - 1, (schema.maximum as number) + 1].map(String);
  const no_number = ["", "two", "1x", "nan", "inf", "1e999", " 1", "0x1", "--1", "1,5"];
  return [...outside, ...no_number, ...(schema.type === "integer" ? ["1.5", "99999999999999999999"] : [])];
}

type Place = { holder: Json[] | { [name: string]: Json }; key: string | number };

const entries = (value: Json): [string | number, Json][] =>
  Array.isArray(value)
    ? [...value.entries()]
    : value !== null && typeof value === "object"
      ? Object.entries(value)
      : [];

// Every place inside a value, outermost first, as the keys that lead there.
function places(value: Json, above: (string | number)[] = []): (string | number)[][] {
  return [above, ...entries(value).flatMap(([key, inner]) => places(inner, [...above, key]))];
}

function edited(value: Json, where: (string | number)[], edit: (place: Place) => void): Json {
  const root: { [name: string]: Json } = { value: structuredClone(value) };
  let place: Place = { holder: root, key: "value" };
  for (const key of where) place = { holder: at(place) as Place["holder"], key };
  edit(place);
  return root.value as Json;
}
const at = ({ holder, key }: Place): Json => (holder as { [name: string]: Json })[String(key)] as Json;
const put = ({ holder, key }: Place, value: Json): void =>
  void ((holder as { [name: string]: Json })[String(key)] = value);

const strangers: Json[] = [null, true, -1, 1.5, 1e300, "", "x".repeat(600), [], {}, [[]], { unknown: 1 }];

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[String(key)];
}

function edits_at(value: Json, where: (string | number)[]): Json[] {
  const changed = strangers.map((stranger) => edited(value, where, (place) => put(place, stranger)));
  const removed = where.length === 0 ? [] : [edited(value, where, remove)];
  const extended = edited(value, where, (place) => {
    const inner = at(place);
    if (inner !== null && typeof inner === "object" && !Array.isArray(inner)) inner["unheard_of"] = 1;
  });
  const lengthened = edited(value, where, (place) => {
    const inner = at(place);
    if (Array.isArray(inner) && inner.length > 0)
      put(
        place,
        Array.from({ length: 10_001 }, () => inner[0] as Json),
      );
  });
  return [...changed, ...removed, extended, lengthened];
}

// Copies of the example with one change each, where the schema rejects the result.
export function invalid_bodies(schema: Schema, example: Json): Json[] {
  const valid = validator(schema);
  const all = places(example)
    .flatMap((where) => edits_at(example, where))
    .filter((body) => !valid(body));
  return [...new Map(all.map((body) => [JSON.stringify(body), body])).values()];
}
