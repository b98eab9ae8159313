import { posix } from 'node:path'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { Result } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteText } from '../schema/describe-value.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { holdsResources, isInOtherCase } from './find-package-files.ts'
import type { PackageFile } from './package.ts'

/** A file that is not read for its ending; without documents if it is no YAML, so that its objects are not known. */
export interface MisspeltFile extends Pick<PackageFile, 'path'> {
  readonly documents?: PackageFile['documents']
}

const ENDINGS = ['yaml', 'yml', 'json'] as const

/** Endings of other formats, which are meant although they are near one that is read. */
const OTHER_FORMATS: ReadonlySet<string> = new Set([
  ...['aml', 'cml', 'eml', 'fml', 'gml', 'iml', 'kml', 'ml', 'qml', 'sml', 'uml', 'vml', 'wml', 'xml'],
  ...['caml', 'daml', 'haml', 'raml', 'saml', 'xaml'],
  ...['bson', 'cson', 'hjson', 'json5', 'jsonc', 'jsonl', 'jsonld', 'jsonp', 'ndjson'],
])

/**
 * Returns the ending that was most likely meant by the name of a file that is not read: of a misspelt one, or of one with `.txt` behind, as
 * editors write it; undefined for the name of any other file.
 *
 * @example  `sets.ymal` → `yaml`, `sets.yml.txt` → `yml`
 */
export function meantEnding(name: string): string | undefined {
  if (holdsResources(name) || isInOtherCase(name)) return undefined
  const [, inner, ending = ''] = /(?:\.([^.]*))?\.([^.]*)$/.exec(name.toLowerCase().replace(/[. ]+$/, '')) ?? []
  if (ending === 'txt') return ENDINGS.find((each) => each === inner)
  // Other signs mark copies: `sets.yaml~`.
  return OTHER_FORMATS.has(ending) || /\W/.test(ending) ? undefined : nearestName(ending, ENDINGS)
}

/**
 * Returns the names under which a file was most likely read before another ending was put behind the name, or in place of its ending; none
 * for a file that is read, whose ending is a finding of its own, or that an editor keeps as a copy (`sets.yaml~`).
 *
 * @example  `sets.yaml.bak` → `sets.yaml`; `sets.bak`, `sets` → `sets.yaml`, `sets.yml`, `sets.json`
 */
export function formerNames(name: string): readonly string[] {
  if (name.endsWith('~') || holdsResources(name) || isInOtherCase(name) || meantEnding(name) !== undefined) return []
  const [, inner] = /^(.+\.(?:yaml|yml|json))\W/i.exec(name) ?? []
  const stem = name.replace(/(?<=.)\.[^.]*$/, '')
  return inner === undefined ? ENDINGS.map((ending) => `${stem}.${ending}`) : [inner]
}

/**
 * Returns the warning about a file that is not read for its misspelt ending although it holds objects, and an error for each of the
 * objects, which count as passed over, or one for the file if its objects are not known; none for a file without objects.
 */
export function misspeltEnding({
  path,
  documents,
}: MisspeltFile): { readonly warning: Result; readonly passedOver: readonly Result[] } | undefined {
  const objects = documents?.flatMap(({ object }) => (object?.apiVersion === undefined || object.kind === undefined ? [] : [object]))
  const meant = meantEnding(posix.basename(path))
  if (objects?.length === 0 || meant === undefined) return undefined
  const written = posix.basename(path).replace(/^[^.]*(?=\.)/, '')
  const message = `must have the ending .yaml, .yml or .json for its objects to be read, got ${quoteText(written)}; did you mean ${quoteText(`.${meant}`)}?`
  const rule: RuleId = 'file-ending'
  const ofFile = { message, file: { path, index: 0 }, tags: { rule } }
  return {
    warning: { severity: 'warning', ...ofFile },
    passedOver: objects?.map((object) => ({ severity: 'error', message, ...objectPlace(object), tags: { rule } })) ?? [
      { severity: 'error', ...ofFile },
    ],
  }
}
