import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from './ready.mjs'

/**
 * What `--help` and `--doc` of a function answer, by default of functions/NAME: the marked sections of its README, and its metadata.yaml.
 * A part that is missing is empty, as in the Go SDK: a function in the making can be built. e2e/hosts/doc.test.ts asks for all of them.
 */
export function functionDoc(name, folder = `functions/${name}`) {
  const readme = textOf(`${folder}/README.md`)
  const metadata = parse(textOf(`${folder}/metadata.yaml`)) ?? {}
  return {
    short: section(readme, 'Short'),
    long: section(readme, 'Long'),
    examples: section(readme, 'Examples'),
    image: metadata.image ?? '',
    description: metadata.description ?? '',
    tags: metadata.tags ?? [],
    sourceURL: metadata.sourceURL ?? '',
    examplePackageURLs: metadata.examplePackageURLs ?? [],
    license: metadata.license ?? '',
    hidden: metadata.hidden ?? false,
  }
}

/** The text between two markers, as the Go SDK reads it (internal/docs ParseMarkers); other comments are for the tests. */
function section(readme, title) {
  const [, text = ''] = readme.match(new RegExp(`<!--mdtogo:${title}-->(.*?)<!--mdtogo-->`, 's')) ?? []
  return text.replace(/^<!--.*-->\n/gm, '').trim()
}

function textOf(path) {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : ''
}
