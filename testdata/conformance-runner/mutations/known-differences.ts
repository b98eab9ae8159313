import { formatFieldPath } from '../../../src/field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { Difference, Holds, KnownDifference } from '../adapter.ts'
import { valuesAlong } from '../difference.ts'
import { recordsAt } from '../records-at.ts'
import type { WrittenResource } from '../written-resource.ts'
import { byType, TYPED_LISTS, typesIn } from './compare-objects.ts'
import { jsonOfKptfile, objectsOf, pointsOf, rootObjects } from './package-objects.ts'
import { unsentFiles } from './package-wire.ts'
import { dottedFunctions, isPile, refusedFunctions } from './pipeline-functions.ts'
import { type MutationVector, readVector } from './vector.ts'

/** The fields that the controller's type of a Kptfile knows (docs/porch.md 6). */
const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  info: ['site', 'email', 'description', 'keywords', 'man', 'emails', 'licenseFile', 'readinessGates'],
  status: ['conditions', 'renderStatus'],
  readinessGates: ['conditionType'],
  conditions: ['type', 'status', 'reason', 'message'],
}
/** Where the mutations mean to differ from Porch's controller: the deviations of docs/porch.md, rows of the PackageVariant. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/porch.md 2',
    reason: 'a kind that the cluster refuses to list: there is no cluster here, so nothing can be refused',
    holds: on(({ input }) => Object.keys(input.clusterErrors ?? {}).length > 0),
    explains: about(({ input }) => pointsOf(input).filter((point) => Object.hasOwn(input.clusterErrors ?? {}, gvkOf(point)))),
  },
  {
    row: 'docs/porch.md 5',
    reason: 'the controller drops a gate or condition whose type stands twice; it is kept',
    holds: on(({ input }) => TYPED_LISTS.some((typed) => typesIn(jsonOfKptfile(input), typed).some(isRepeated))),
    explains: ({ what, expected, actual }, vector) =>
      expected === undefined && /^Kptfile: \[0\]\.(?:info|status)\.\w+\[".* \(\d+\)"\]$/.test(what) && isAsWritten(what, actual, vector),
    always: true,
  },
  {
    row: 'docs/porch.md 6',
    reason: 'the controller drops fields of info and status that its types do not have; they are kept',
    holds: on(({ input }) => hasUnknownFields(jsonOfKptfile(input))),
    explains: ({ what, expected, actual }, vector) => expected === undefined && isUnknownField(what) && isAsWritten(what, actual, vector),
  },
  {
    row: 'docs/porch.md 6',
    reason: 'the controller decodes the whole Kptfile and fails at any wrong type; only what is edited must have the right one',
    holds: on(({ expected }) => /unable to convert|cannot unmarshal/.test(expected.error ?? '')),
    explains: ({ what, expected }) => what === 'fault' && /unable to convert|cannot unmarshal/.test(String(expected)),
  },
  {
    row: 'docs/porch.md 10',
    reason: 'the controller passes numbers through float64 and loses the digits beyond 2^53; they stay as written',
    holds: on(({ input }) => (input.cluster ?? []).some(hasLongInteger)),
    explains: ({ expected, actual }) => typeof actual === 'bigint' && Number(expected) === Number(actual),
  },
  {
    row: 'docs/porch.md 11',
    reason: 'the controller keeps the quotes of a placeholder, which makes a string of an injected number or boolean',
    holds: on(({ input }) => pointsOf(input).length > 0),
    explains: ({ what, expected, actual }, vector) =>
      typeof expected === 'string' && /number|boolean|bigint/.test(typeof actual) && quotedPlaces(readVector(vector)).includes(what),
  },
  {
    row: 'docs/porch.md 13',
    reason: "the controller takes a subpackage's injection points for the root package's; a package owns its own points",
    holds: on(({ input }) => subpackagePoints(input).length > 0),
    explains: about(({ input }) => subpackagePoints(input)),
  },
  {
    row: 'docs/porch.md 15',
    reason: 'the controller fails at files that are no resources and at empty documents; a function is never sent them',
    holds: on(({ input }) => unsentFiles(input.package).length > 0),
    explains: (difference, vector) => unsentFiles(readVector(vector).input.package).some((path) => isForLackOf(path, difference)),
  },
  {
    row: 'docs/porch.md 18',
    reason: 'the client of the controller drops the suffix List of a kind',
    holds: on(({ input }) => pointsOf(input).some(isOfKindList)),
    explains: about(({ input }) => pointsOf(input).filter(isOfKindList)),
  },
  {
    row: 'docs/porch.md 21',
    reason: 'the controller panics at aliases, or expands them; they are refused with an error that names the anchor',
    holds: on(({ input }) => objectsOf(input).some((object) => object.hasAlias)),
    explains: ({ what, expected, actual }) =>
      what === 'fault' && (/^(?:alias|anchored) /.test(String(actual)) || String(expected).startsWith('panic: ')),
  },
  {
    row: 'docs/porch.md 24',
    reason: 'the controller knows the package context as the only document of package-context.yaml; it is found in whatever file',
    holds: on(({ input }) => hasContextElsewhere(input)),
    explains: ({ what, expected, actual }) =>
      what === 'fault' &&
      actual === undefined &&
      /^"package-context\.yaml" |^failed to parse "package-context\.yaml" .*exactly one object/.test(String(expected)),
  },
  {
    row: 'docs/porch.md 29',
    reason: 'the controller does not know its own functions again when the variant or the function has a dot in its name',
    holds: on(({ input }) => dottedFunctions(input).length > 0),
    explains: (difference, vector) => isPile(difference, dottedFunctions(readVector(vector).input)),
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the controller replaces a pipeline that is a text or list silently; it is refused',
    holds: on(({ input }) => isTextOrList(lookup(jsonOfKptfile(input), 'pipeline'))),
    explains: ({ what, expected, actual }) =>
      what === 'fault' && expected === undefined && /^kptfile Kptfile \S+ pipeline /.test(String(actual)),
    always: true,
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the controller removes a pipeline that holds nothing but keys it does not know; they are kept',
    holds: on(({ input }) => keysOf(lookup(jsonOfKptfile(input), 'pipeline')).some(isNoList)),
    explains: ({ what, expected, actual }) => what === 'Kptfile: [0].pipeline' && expected === undefined && keysOf(actual).every(isNoList),
  },
  {
    row: 'docs/porch.md 35',
    reason: 'the controller does not validate the functions of a variant; those that kpt would refuse are refused',
    holds: on(({ input }) => refusedFunctions(input).length > 0),
    explains: ({ what, expected, actual }, vector) =>
      what === 'fault' &&
      expected === undefined &&
      refusedFunctions(readVector(vector).input).some((place) => isRefusalOf(place, String(actual))),
    always: true,
  },
]

function on(holds: (vector: MutationVector) => boolean): Holds {
  return (vector) => holds(readVector(vector))
}

type Input = MutationVector['input']

/** Differences in the files of some injection points, in their gates and conditions, and faults that name their files. */
function about(pointsOf: (vector: MutationVector) => readonly WrittenResource[]): KnownDifference['explains'] {
  return (difference, vector) => {
    const { input } = readVector(vector)
    return pointsOf(readVector(vector)).some((point) => isOfStatus(difference, point) || isOfFile(difference, point, input))
  }
}

function isOfStatus({ what }: Difference, { kind, name }: WrittenResource): boolean {
  const type = formatFieldPath([`config.injection.${kind}.${name}`])
  return /^Kptfile: \[0\]\.(?:info|status)/.test(what) && (what.includes(type) || /\.(?:info|status|readinessGates|conditions)$/.test(what))
}

/** One side injected there, the other left it as it was; or a fault for that file. */
function isOfFile({ what, expected, actual }: Difference, { path }: WrittenResource, input: Input): boolean {
  if (what === 'fault') return String(expected).includes(path)
  const documents = objectsOf(input).filter((each) => each.path === path)
  const before = valuesAlong(
    documents.map(({ value }) => value),
    what.slice(path.length + 2),
  ).at(-1)
  return what.startsWith(`${path}: `) && (equalJson(expected, before) || equalJson(actual, before))
}

/** A field of the Kptfile has the value that it had before the run; of types that stand twice, the one of the same number. */
function isAsWritten(what: string, actual: JsonValue | undefined, vector: JsonRecord): boolean {
  const before = byType(jsonOfKptfile(readVector(vector).input))
  return actual !== undefined && equalJson(actual, valuesAlong([before], what.slice('Kptfile: '.length)).at(-1))
}

/** A fault of a function by a rule on functions, at the function or in it. */
function isRefusalOf(place: string, line: string): boolean {
  const [rule = '', , , field = ''] = line.split(' ')
  return /^(?:function-\w+(?:-\w+)?|unknown-field|exclusive-fields)$/.test(rule) && (field === place || field.startsWith(`${place}.`))
}

function isRepeated(type: string): boolean {
  return / \(\d+\)$/.test(type)
}

function gvkOf({ apiVersion, kind }: WrittenResource): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}/${kind}`
}

/** A field of info or status that the controller's types do not have. */
function isUnknownField(what: string): boolean {
  const [, parent = '', field = ''] = /^Kptfile: \[0\]\.(info|status)\.([^.[]+)$/.exec(what) ?? []
  const [, list = '', key = ''] =
    /^Kptfile: \[0\]\.(?:info|status)\.(readinessGates|conditions)(?:\.[^.[]+|\["[^"]*"\])\.([^.[]+)$/.exec(what) ?? []
  return (parent !== '' && !KNOWN_FIELDS[parent]?.includes(field)) || (list !== '' && !KNOWN_FIELDS[list]?.includes(key))
}

function hasLongInteger(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true
  return isRecord(value) ? Object.values(value).some(hasLongInteger) : Array.isArray(value) && value.some(hasLongInteger)
}

function subpackagePoints(input: Input): readonly WrittenResource[] {
  return pointsOf(input).filter((point) => !rootObjects(input).includes(point))
}

function isOfKindList({ kind }: WrittenResource): boolean {
  return kind.endsWith('List')
}

/** The controller fails for a file that a function is not sent, or ours because it was not sent that file. */
function isForLackOf(path: string, { what, expected, actual }: Difference): boolean {
  if (what !== 'fault') return false
  const isTold = actual === undefined && (String(expected).startsWith(`${path}: `) || String(expected).includes(`"${path}"`))
  if (isTold || expected !== undefined) return isTold
  return (
    (path === 'package-context.yaml' && /^context-missing /.test(String(actual))) ||
    (path === 'Kptfile' && /^kptfile-missing /.test(String(actual)))
  )
}

function hasUnknownFields(kptfile: JsonRecord): boolean {
  const parts = Object.entries(KNOWN_FIELDS).flatMap(([name, known]) =>
    recordsAt({ info: kptfile.info ?? null, status: kptfile.status ?? null }, [name]).map((record) => ({ record, known })),
  )
  return parts.some(({ record, known }) => Object.keys(record).some((key) => !known.includes(key)))
}

/** The places of quoted scalars in injection points, as differences name them. */
function quotedPlaces({ input }: MutationVector): readonly string[] {
  return pointsOf(input).flatMap((point) => {
    return point.quoted.map((path) => `${point.path}: ${formatFieldPath([point.index, ...path])}`)
  })
}

function hasContextElsewhere(input: Input): boolean {
  const inFile = objectsOf(input).filter(({ path }) => path === 'package-context.yaml')
  const contexts = rootObjects(input).filter(({ kind, name }) => kind === 'ConfigMap' && name === 'kptfile.kpt.dev')
  return contexts.length === 1 && !(inFile.length === 1 && inFile[0] === contexts[0])
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isRecord(value) ? Object.keys(value) : []
}

function isNoList(key: string): boolean {
  return !/^(?:muta|valida)tors$/.test(key)
}

function isTextOrList(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && !isRecord(value)
}
