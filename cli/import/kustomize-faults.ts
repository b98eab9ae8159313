import { readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { onlyDocument } from '../../src/folder/split-documents.ts'
import { isRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isFile } from '../place-kind.ts'

/** The names that kustomize knows for its file. */
export const KUSTOMIZATIONS = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/**
 * Returns the object of a kustomization. Documents without content before or behind it, which kustomize passes over, do not count.
 *
 * @throws Error for what is no YAML, for two documents, and for a list or a text
 */
export function readKustomizationFile(place: string): KrmObject {
  const { text, line } = onlyDocument(readFileSync(place, 'utf8'))
  const object = KrmObject.fromDocument(text, { path: place, index: 0, line })
  const value = object.get([])
  if (value !== undefined && value !== null && !isRecord(value)) throw new Error('must be a map of fields')
  return object
}

/** A fault that kustomize reports: the text of the kustomization that has it, and what to do next. */
interface KnownFault {
  /** Finds the fault in the words of kustomize; its first group is the text to look for in the kustomization. */
  readonly words: RegExp
  readonly text?: string
  readonly next: string
}

const KNOWN: readonly KnownFault[] = [
  { words: /unknown field "([^"]+)"/, next: 'correct the name of the field, or use the kustomize that knows it' },
  {
    words: /must specify --enable-helm/,
    text: 'helmCharts',
    next: 'run with --enable-helm, or import the chart with krm-variants import --helm',
  },
  {
    words: /external plugins disabled[\s\S]*?plugin '([^']+)'|external plugins disabled/,
    next: 'no plugin is run: write what it generates into a file, and name the file in resources',
  },
  {
    words: /cycle detected[\s\S]*visited root '[^']*?([^/']+)'/,
    next: 'two kustomizations name each other: take one of the two references away',
  },
  {
    words: /(?:merging resources from|recursed merging from path) '[^']*?([^/']+)'[\s\S]*already registered id/,
    next: 'the object is in another resource too: make a patch of one of them',
  },
  {
    words: /Found multiple kustomization files/,
    next: 'kustomize reads one of kustomization.yaml, kustomization.yml and Kustomization: remove the others',
  },
  {
    words: /expected kind != 'Component' for path '[^']*?([^/']+)'/,
    next: 'the folder is a component: name it in components',
  },
  {
    words: /expected kind 'Component' for path '[^']*?([^/']+)'/,
    next: 'the folder is no component: name it in resources',
  },
  {
    words: /security; file '[^']*?([^/']+)' is not in or below/,
    next: 'kustomize reads only files below the folder of the kustomization: put the file there, or make its folder a base',
  },
  {
    words: /(?:lstat|open|stat) (?:\S*\/)?([^/\s:]+): no such file/,
    next: 'write the file, or take its name out; a file that git ignores is not in a clone',
  },
  {
    words: /accumulating resources from '([^']+)': MalformedYAMLError/,
    next: 'correct the YAML of the file',
  },
  {
    words: /accumulating resources from '([^']+)': missing (?:kind|metadata.name)/,
    next: 'each resource must have apiVersion, kind and metadata.name',
  },
  {
    words: /cannot unmarshal (?:bool|number) into Go struct field \w+\.(\w+)\S* of type string/,
    next: 'put the value in quotes: kustomize reads y, n, yes, no, on and off as booleans',
  },
  {
    words: /unsupported type: map\[interface \{\}\]interface \{\}/,
    text: 'pairs',
    next: 'put the key in quotes: kustomize reads y, n, yes, no, on and off as booleans',
  },
  {
    words: /no matches for Id [^;]*|failed to find unique target for patch/,
    text: 'patch',
    next: 'the patch names an object that the bases do not have',
  },
]

/** Returns the words of kustomize about a folder, with the line of its kustomization that they are about and what to do next. */
export function explainKustomizeFault(dir: string, folder: string, reason: string): string {
  const known = KNOWN.find(({ words }) => words.test(reason))
  const text = known?.text ?? known?.words.exec(reason)?.[1]
  const place = placeOf(dir, folder, text)
  return `${place === undefined ? '' : `${place}: `}kustomize cannot build '${dir}': ${reason}${known === undefined ? '' : `; ${known.next}`}`
}

function placeOf(dir: string, folder: string, text: string | undefined): string | undefined {
  const file = KUSTOMIZATIONS.find((name) => isFile(join(folder, name)))
  if (file === undefined) return undefined
  const lines = text === undefined ? [] : readFileSync(join(folder, file), 'utf8').split('\n')
  const line = lines.findIndex((each) => each.includes(text ?? ''))
  const column = line === -1 ? 0 : (lines[line]?.indexOf(text ?? '') ?? 0)
  return `${posix.join(dir, basename(file))}:${Math.max(line, 0) + 1}:${column + 1}`
}
