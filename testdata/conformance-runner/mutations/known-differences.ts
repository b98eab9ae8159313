import { formatFieldPath } from '../../../src/field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import type { Difference, KnownDifference } from '../adapter.ts'
import { recordsAt } from '../records-at.ts'
import { TYPED_LISTS, typesIn } from './compare-objects.ts'
import { kptfileOf, objectsOf, pointsOf, rootObjects } from './package-objects.ts'
import { unsentFiles } from './package-wire.ts'
import { type MutationVector, readVector } from './vector.ts'

/** The fields that the controller's type of a Kptfile knows (docs/porch.md 6). */
const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  info: ['site', 'email', 'description', 'keywords', 'man', 'emails', 'licenseFile', 'readinessGates'],
  status: ['conditions', 'renderStatus'],
  readinessGates: ['conditionType'],
  conditions: ['type', 'status', 'reason', 'message'],
}
const FUNCTION_FIELDS = ['name', 'image', 'exec', 'tag', 'configPath', 'configMap', 'selectors', 'exclude']

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
    holds: on(({ input }) => TYPED_LISTS.some((typed) => typesIn(kptfileOf(input)?.toJson(), typed).some(isRepeated))),
    explains: ({ what, expected }) => expected === undefined && /^Kptfile: \[0\]\.(?:info|status)\.\w+\[".* \(\d+\)"\]$/.test(what),
  },
  {
    row: 'docs/porch.md 6',
    reason: 'the controller drops fields of info and status that its types do not have; they are kept',
    holds: on(({ input }) => hasUnknownFields(kptfileOf(input)?.toJson() ?? {})),
    explains: ({ what, expected }) => expected === undefined && isUnknownField(what),
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
    holds: on(({ input }) => objectsOf(input).some((object) => object.aliases().length > 0)),
    explains: ({ what, expected, actual }) =>
      what === 'fault' && (/^(?:alias|anchored) /.test(String(actual)) || String(expected).startsWith('panic: ')),
  },
  {
    row: 'docs/porch.md 24',
    reason: 'the controller knows the package context as the only document of package-context.yaml; it is found in whatever file',
    holds: on(({ input }) => hasContextElsewhere(input)),
    explains: ({ what, expected }) =>
      what === 'fault' && /^"package-context\.yaml" |^failed to parse "package-context\.yaml" .*exactly one object/.test(String(expected)),
  },
  {
    row: 'docs/porch.md 29',
    reason: 'the controller does not know its own functions again when the variant or the function has a dot in its name',
    holds: on(({ input }) => dottedNames(input).length > 0),
    explains: (difference, vector) => isPile(difference, dottedNames(readVector(vector).input)),
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the controller replaces a pipeline that is a text or list silently; it is refused',
    holds: on(({ input }) => isTextOrList(kptfileOf(input)?.get(['pipeline']))),
    explains: ({ what, actual }) => what === 'fault' && /^kptfile Kptfile \S+ pipeline /.test(String(actual)),
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the controller removes a pipeline that holds nothing but keys it does not know; they are kept',
    holds: on(({ input }) => keysOf(kptfileOf(input)?.get(['pipeline'])).some(isNoList)),
    explains: ({ what, expected, actual }) => what === 'Kptfile: [0].pipeline' && expected === undefined && keysOf(actual).every(isNoList),
  },
  {
    row: 'docs/porch.md 35',
    reason: 'the controller does not validate the functions of a variant; those that kpt would refuse are refused',
    holds: on(({ input }) => refusedFunctions(input).length > 0),
    explains: ({ what, actual }, vector) =>
      what === 'fault' && refusedFunctions(readVector(vector).input).some((place) => String(actual).includes(` ${place}`)),
  },
  {
    row: 'docs/porch.md 35',
    reason: 'the API server drops unknown fields before the controller sees them; they are refused with the nearest name',
    holds: () => true,
    explains: ({ what, actual }) => what === 'fault' && /^unknown-field - PackageVariant\//.test(String(actual)),
  },
]

function on(holds: (vector: MutationVector) => boolean): KnownDifference['holds'] {
  return (vector) => holds(readVector(vector))
}

type Input = MutationVector['input']

/** Differences in the files of some injection points, in their gates and conditions, and faults that name their files. */
function about(pointsOf: (vector: MutationVector) => readonly KrmObject[]): KnownDifference['explains'] {
  return ({ what, expected }, vector) =>
    pointsOf(readVector(vector)).some((point) => {
      const type = formatFieldPath([`config.injection.${point.kind}.${point.name}`])
      const isOfKptfile =
        /^Kptfile: \[0\]\.(?:info|status)/.test(what) && (what.includes(type) || /\.(?:info|status|readinessGates|conditions)$/.test(what))
      return (
        isOfKptfile || what.startsWith(`${point.file?.path}: `) || (what === 'fault' && String(expected).includes(`${point.file?.path}`))
      )
    })
}

function isRepeated(type: string): boolean {
  return / \(\d+\)$/.test(type)
}

function gvkOf({ apiVersion = '', kind = '' }: KrmObject): string {
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

function subpackagePoints(input: Input): readonly KrmObject[] {
  return pointsOf(input).filter((point) => !rootObjects(input).includes(point))
}

function isOfKindList({ kind = '' }: KrmObject): boolean {
  return kind.endsWith('List')
}

/** The controller fails for a file that a function is not sent, or ours because it was not sent that file. */
function isForLackOf(path: string, { what, expected, actual }: Difference): boolean {
  if (what !== 'fault') return false
  const isTold = String(expected).startsWith(`${path}: `) || String(expected).includes(`"${path}"`)
  const isMissed =
    (path === 'package-context.yaml' && /^context-missing /.test(String(actual))) ||
    (path === 'Kptfile' && /^kptfile-missing /.test(String(actual)))
  return isTold || isMissed
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
    const quoted = point.scalars().filter(({ style }) => style === 'single' || style === 'double')
    return quoted.map(({ path }) => `${point.file?.path}: ${formatFieldPath([point.file?.index ?? 0, ...path])}`)
  })
}

function hasContextElsewhere(input: Input): boolean {
  const inFile = objectsOf(input).filter(({ file }) => file?.path === 'package-context.yaml')
  const contexts = rootObjects(input).filter(({ kind, name }) => kind === 'ConfigMap' && name === 'kptfile.kpt.dev')
  return contexts.length === 1 && !(inFile.length === 1 && inFile[0] === contexts[0])
}

/** Own functions in the Kptfile whose names have more than four parts. */
function dottedNames(input: Input): readonly string[] {
  const variant = isRecord(input.variant.metadata) ? String(input.variant.metadata.name) : ''
  const existing = recordsAt(kptfileOf(input)?.toJson(), ['mutators', 'validators']).map(({ name }) => String(name))
  return existing.filter((name) => name.startsWith(`PackageVariant.${variant}.`) && name.split('.').length > PARTS_OF_NAME)
}

const PARTS_OF_NAME = 4

/** A list of functions that is ours once the last of each own function with dots, which the controller left there, is taken out. */
function isPile({ what, expected, actual }: Difference, dotted: readonly string[]): boolean {
  if (!/^Kptfile: \[0\]\.pipeline(?:\.mutators|\.validators)?$/.test(what)) return false
  const theirs = listsOf(expected).map((list) => without(list, dotted))
  return equalJson(
    theirs.filter((list) => list.length > 0),
    listsOf(actual),
  )
}

function without(list: readonly JsonValue[], names: readonly string[]): readonly JsonValue[] {
  const left = [...list]
  for (const name of names) {
    const place = left.findLastIndex((entry) => isRecord(entry) && entry.name === name)
    if (place !== -1) left.splice(place, 1)
  }
  return left
}

/** A list of functions, or those of a pipeline. */
function listsOf(value: JsonValue | undefined): readonly (readonly JsonValue[])[] {
  if (Array.isArray(value)) return [value]
  return isRecord(value) ? ['mutators', 'validators'].flatMap((key) => listsOf(lookup(value, key))) : []
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

/** The places of functions that kpt would refuse: `spec.pipeline.mutators[0]`. */
function refusedFunctions(input: Input): readonly string[] {
  const pipeline = isRecord(input.variant.spec) ? lookup(input.variant.spec, 'pipeline') : undefined
  return ['mutators', 'validators'].flatMap((list) => {
    const functions = isRecord(pipeline) ? lookup(pipeline, list) : undefined
    const entries = Array.isArray(functions) ? functions.map((fn: JsonValue) => (isRecord(fn) ? fn : {})) : []
    return entries.flatMap((fn, index) => (isRefused(fn, input) ? [`spec.pipeline.${list}[${index}]`] : []))
  })
}

function isRefused(fn: JsonRecord, input: Input): boolean {
  const { image = '', exec = '', configPath, configMap } = fn
  const hasUnknown = Object.keys(fn).some((key) => !FUNCTION_FIELDS.includes(key))
  const hasNoFile = configPath !== undefined && !hasFile(objectsOf(input), String(configPath))
  return hasUnknown || hasNoFile || (configPath !== undefined && configMap !== undefined) || (image === '' && exec === '')
}

function hasFile(objects: readonly KrmObject[], path: string): boolean {
  return objects.some(({ file }) => file?.path === path)
}
