import { equalJson, type JsonRecord, memberOf } from '../../../src/json.ts'
import type { Difference, KnownDifference } from '../adapter.ts'
import { isResourceFile, resourcesIn, type WrittenResource } from '../written-resource.ts'
import { type CloneVector, readClone } from './vector.ts'

/** The input of a rule: a file of the upstream package, and its resources; undefined where it cannot be read. */
interface UpstreamFile {
  readonly path: string
  readonly text: string
  readonly objects: readonly WrittenResource[] | undefined
}

const KPTFILE_FIELDS = ['apiVersion', 'kind', 'metadata', 'upstream', 'upstreamLock', 'info', 'pipeline', 'inventory', 'status']

/** Where a clone here is meant to differ from those of kpt and Porch: docs/porch.md, the section on clones. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/porch.md C6',
    reason: 'kpt and Porch fail on files that are no resources; they are carried as they are',
    holds: (vector) => hasFile(vector, ({ path, objects }) => isYamlOrJson(path) && objects?.every(isResource) !== true),
    explains: isTheirFault,
  },
  {
    row: 'docs/porch.md C7',
    reason: 'a document in flow style is left alone; kpt fails on it, Porch writes what is no YAML any more',
    holds: (vector) => hasFile(vector, ({ objects = [] }) => objects.some(({ text }) => /^\s*(#[^\n]*\n\s*)*\{/.test(text))),
    explains: (difference) => isTheirFault(difference) || /kpt-merge.*\n/.test(String(difference.expected)),
  },
  {
    row: 'docs/porch.md C8',
    reason: 'Porch fails where annotations tell two places of one object; they are dropped, as in kpt',
    holds: (vector) => flavourOf(vector) === 'porch' && hasFile(vector, ({ text }) => /config\.kubernetes\.io\/(path|index):/.test(text)),
    explains: isTheirFault,
  },
  {
    row: 'docs/porch.md C9',
    reason: 'every tool panics at a merge comment without a slash; its resource is left alone',
    holds: (vector) => hasFile(vector, ({ text }) => /^\s*metadata:\s+#\s*kpt-merge:[^/\n]*$/m.test(text)),
    explains: isTheirFault,
  },
  {
    row: 'docs/porch.md C10',
    reason: 'kpt refuses fields of a Kptfile that it does not know; they stay',
    holds: (vector) => hasFile(vector, ({ path, objects = [] }) => path === 'Kptfile' && objects.some(hasUnknownField)),
    explains: isTheirFault,
  },
  {
    row: 'docs/porch.md C13',
    reason: "the defaults of upstream's package context stay; kpt and Porch drop all data but their own",
    holds: (vector) => Object.keys(readClone(vector).upstream).some(isContextFile),
    explains: ({ what, expected, actual }, vector) => {
      const [path = '', field = ''] = what.split(': ')
      const [, key] = /^\[\d+\]\.value\.data(?:\.([\w-]+)|\["([^"]+)"\])$/.exec(field)?.filter((part) => part !== undefined) ?? []
      const { upstream } = readClone(vector)
      const context = objectsIn(path, upstream[path] ?? '')?.find((object) => object.name === 'kptfile.kpt.dev')
      const isDefault = key !== undefined && key !== 'name' && key !== 'package-path'
      return isContextFile(path) && isDefault && expected === undefined && equalJson(actual, memberOf(context?.value.data, key ?? ''))
    },
  },
]

function isContextFile(path: string): boolean {
  return path === 'package-context.yaml' || path.endsWith('/package-context.yaml')
}

/** They fail, we do not. */
function isTheirFault({ what, expected, actual }: Difference): boolean {
  return what === 'fault' && expected !== undefined && actual === undefined
}

function flavourOf(vector: JsonRecord): CloneVector['flavour'] {
  return readClone(vector).flavour
}

function hasFile(vector: JsonRecord, test: (file: UpstreamFile) => boolean): boolean {
  return Object.entries(readClone(vector).upstream).some(([path, text]) => test({ path, text, objects: objectsIn(path, text) }))
}

function objectsIn(path: string, text: string): readonly WrittenResource[] | undefined {
  return isResourceFile(path) ? resourcesIn(path, text) : undefined
}

function isYamlOrJson(path: string): boolean {
  return /\.(ya?ml|json)$/.test(path)
}

function isResource({ apiVersion, kind, name }: WrittenResource): boolean {
  return apiVersion !== '' && kind !== '' && kind !== 'List' && name !== ''
}

function hasUnknownField({ value }: WrittenResource): boolean {
  return Object.keys(value).some((key) => !KPTFILE_FIELDS.includes(key))
}
