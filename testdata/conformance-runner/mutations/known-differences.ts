import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import type { KnownDifference } from '../adapter.ts'
import { recordsAt } from '../records-at.ts'
import { cannotBeSaid, kptfileOf, objectsOf, pointsOf, rootObjects } from './package-objects.ts'
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
    shows: /^Kptfile must be .*"message":/,
  },
  {
    row: 'docs/porch.md 6',
    reason: 'the controller drops fields of info and status that its types do not have; they are kept',
    holds: on(({ input }) => hasUnknownFields(kptfileOf(input)?.toJson() ?? {})),
    shows: /^Kptfile must be /,
  },
  {
    row: 'docs/porch.md 6',
    reason: 'the controller decodes the whole Kptfile and fails at any wrong type; only what is edited must have the right one',
    holds: on(({ expected }) => /unable to convert|cannot unmarshal/.test(expected.error ?? '')),
    shows: /^must fail .*, but succeeds$/s,
  },
  {
    row: 'docs/porch.md 11',
    reason: 'the controller keeps the quotes of a placeholder, which makes a string of an injected number or boolean',
    holds: on(hasQuotedPlaceholder),
    shows: /^\S+ must be /,
  },
  {
    row: 'docs/porch.md 13',
    reason: "the controller takes a subpackage's injection points for the root package's; a package owns its own points",
    holds: on(({ input }) => pointsOf(input).some((point) => !rootObjects(input).includes(point))),
    shows: /^\S+ must be |but succeeds$/,
  },
  {
    row: 'docs/porch.md 15',
    reason: 'the controller fails at files that are no resources and at empty documents; a function is never sent them',
    holds: on(({ input }) => cannotBeSaid(input)),
    shows: /^threw |^must fail .*, but succeeds$/s,
  },
  {
    row: 'docs/porch.md 18',
    reason: 'the client of the controller drops the suffix List of a kind',
    holds: on(({ input }) => pointsOf(input).some(({ kind = '' }) => kind.endsWith('List'))),
    shows: /^\S+ must be /,
  },
  {
    row: 'docs/porch.md 21',
    reason: 'the controller panics at aliases, or expands them; they are refused with an error that names the anchor',
    holds: on(({ input }) => objectsOf(input).some((object) => object.aliases().length > 0)),
    shows: /^threw FunctionError|^must (succeed, but fails|fail for .*, fails for alias)/,
  },
  {
    row: 'docs/porch.md 24',
    reason: 'the controller knows the package context as the only document of package-context.yaml; it is found in whatever file',
    holds: on(({ input }) => hasContextElsewhere(input)),
    shows: /^must fail .*package-context\.yaml.*, but succeeds$/s,
  },
  {
    row: 'docs/porch.md 29',
    reason: 'the controller does not know its own functions again when the variant or the function has a dot in its name',
    holds: on(({ input }) => hasDottedNames(input)),
    shows: /^Kptfile must be /,
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the controller replaces a pipeline that is a text or list silently; it is refused',
    holds: on(({ input }) => isTextOrList(kptfileOf(input)?.get(['pipeline']))),
    shows: /^must succeed, but fails: .*`pipeline`/,
  },
  {
    row: 'docs/porch.md 32',
    reason: 'the controller removes a pipeline that holds nothing but keys it does not know; they are kept',
    holds: on(({ input }) => recordOf(kptfileOf(input)?.get(['pipeline']), (keys) => keys.some((key) => !/^(muta|valida)tors$/.test(key)))),
    shows: /^Kptfile must be /,
  },
  {
    row: 'docs/porch.md 35',
    reason: 'the controller does not validate the functions of a variant; those that kpt would refuse are refused',
    holds: on(({ input }) => recordsAt(input.variant, ['mutators', 'validators']).some((fn) => isRefused(fn, input))),
    shows: /^must succeed, but fails: .*`spec\.pipeline\./,
  },
]

function on(holds: (vector: MutationVector) => boolean): KnownDifference['holds'] {
  return (vector) => holds(readVector(vector))
}

type Input = MutationVector['input']

function recordOf(value: JsonValue | undefined, holds: (keys: readonly string[]) => boolean): boolean {
  return isRecord(value) && holds(Object.keys(value))
}

function hasUnknownFields(kptfile: JsonRecord): boolean {
  const parts = Object.entries(KNOWN_FIELDS).flatMap(([name, known]) =>
    recordsAt({ info: kptfile.info ?? null, status: kptfile.status ?? null }, [name]).map((record) => ({ record, known })),
  )
  return parts.some(({ record, known }) => Object.keys(record).some((key) => !known.includes(key)))
}

/** A scalar in quotes, in a point, where a resource of its kind in the cluster has a number or boolean. */
function hasQuotedPlaceholder({ input }: MutationVector): boolean {
  return pointsOf(input).some((point) => {
    const quoted = point.scalars().filter(({ style }) => style === 'single' || style === 'double')
    const sources = (input.cluster ?? []).filter(({ kind }) => kind === point.kind)
    return quoted.some(({ path }) => sources.some((source) => /number|boolean/.test(typeof valueAt(source, path))))
  })
}

function valueAt(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((part, step) => {
    if (Array.isArray(part)) return part[Number(step)]
    return isRecord(part) ? lookup(part, String(step)) : undefined
  }, value)
}

function hasContextElsewhere(input: Input): boolean {
  const inFile = objectsOf(input).filter(({ file }) => file?.path === 'package-context.yaml')
  const contexts = rootObjects(input).filter(({ kind, name }) => kind === 'ConfigMap' && name === 'kptfile.kpt.dev')
  return contexts.length === 1 && !(inFile.length === 1 && inFile[0] === contexts[0])
}

function hasDottedNames(input: Input): boolean {
  const wanted = recordsAt(input.variant, ['mutators', 'validators'])
  const variant = isRecord(input.variant.metadata) ? String(input.variant.metadata.name) : ''
  const existing = recordsAt(kptfileOf(input)?.toJson(), ['mutators', 'validators'])
  const ours = existing.filter(({ name }) => String(name).startsWith(`PackageVariant.${variant}.`))
  return [variant, ...wanted.map(({ name }) => String(name ?? ''))].some((name) => name.includes('.')) || ours.some(isDotted)
}

function isDotted({ name }: JsonRecord): boolean {
  return String(name).split('.').length !== 4
}

function isTextOrList(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && !isRecord(value)
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
