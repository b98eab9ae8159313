import { existsSync, readdirSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { isDns1123Label } from '../../src/kubernetes/names.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { shellPath, shellPattern, shellWord } from '../../src/shell-word.ts'
import type { Host } from '../host.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { KUSTOMIZATIONS } from './kustomize-faults.ts'
import { isGit } from './package-sources.ts'

/** Returns the message about a source that was given without an option. */
export function sourceAdvice(source: string, as: string | undefined, host: Host): string {
  const place = host.locate(source)
  const isElsewhere = isGit(source) || source.includes('://')
  if (!isElsewhere && !existsSync(place)) return `a source must come with its option, and there is no file or folder '${source}'`
  if (sourceOf(source, host).option === 'manifest' && isTree(place))
    return `a tree of kustomizations becomes a fleet: krm-variants convert kustomize ${shellPath(source)} --allow-exec`
  return `a source must come with its option: ${suggestedImport(source, as, host)}`
}

/** Returns true for a folder with kustomizations below it. */
function isTree(place: string): boolean {
  return (
    isFolder(place) && readdirSync(place, { recursive: true, encoding: 'utf8' }).some((path) => KUSTOMIZATIONS.includes(basename(path)))
  )
}

/**
 * Returns the command that imports a source which was given without an option, by what is at the place.
 *
 * charts/web with a Chart.yaml → `krm-variants import --helm charts/web --allow-exec --as catalog/web`
 */
export function suggestedImport(source: string, as: string | undefined, host: Host): string {
  const { option, place } = sourceOf(source, host)
  const exec = option === 'helm' || option === 'kustomize' ? '--allow-exec ' : ''
  return `krm-variants import --${option} ${shellPattern(place)} ${exec}--as ${shellWord(as ?? `catalog/${nameOf(place)}`)}`
}

function sourceOf(source: string, host: Host): { readonly option: 'helm' | 'kustomize' | 'package' | 'manifest'; readonly place: string } {
  const folder = FILES_OF_FOLDERS.includes(basename(source)) ? posix.dirname(source) : source.replace(/(?<=.)\/+$/, '')
  const has = (name: string) => isFile(join(host.locate(folder), name))
  if (has(CHART)) return { option: 'helm', place: folder }
  if (KUSTOMIZATIONS.some(has)) return { option: 'kustomize', place: folder }
  if (has(KPTFILE)) return { option: 'package', place: folder }
  if (/\.(?:tgz|tar\.gz)$|^oci:/.test(source)) return { option: 'helm', place: source }
  if (isGit(source) && !/\.(?:ya?ml|json)$/.test(source)) return { option: 'package', place: source }
  return { option: 'manifest', place: isFolder(host.locate(source)) ? `${folder}/*.yaml` : source }
}

const CHART = 'Chart.yaml'
const FILES_OF_FOLDERS = [CHART, KPTFILE, ...KUSTOMIZATIONS]

/** Returns the name of a package: `web-1.4.0.tgz` → web. */
function nameOf(place: string): string {
  const name = basename(place)
    .toLowerCase()
    .replace(/\.(?:ya?ml|json|tgz|tar\.gz)$/, '')
    .replace(/@[^@]*$/, '')
    .replace(/-v?\d+(?:\.\d+)+.*$/, '')
  return isDns1123Label(name) ? name : 'NAME'
}
