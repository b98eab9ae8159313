// `npm start`: what a change to the fleet in examples/ would do, and what the function behind it makes.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfNeeded, installIfNeeded, ROOT } from './ready.mjs'

const FLEET = 'examples/fleet'

installIfNeeded()
buildIfNeeded()
heading(`node dist/krm-variants.mjs plan ${FLEET}`)
print(runBundle('krm-variants', ['plan', FLEET]))
const variants = variantsIn(runBundle('fan-out', [], await readAsResourceList(FLEET)))
const fresh = variants.find(({ path }) => !existsSync(join(ROOT, FLEET, path))) ?? variants[0]
heading(`dist/fan-out.mjs on the same folder: ${variants.length} package variants`)
print(variants.map(({ path }) => `${path}\n`).join(''))
heading(fresh.path)
print(fresh.text)

/** The stdout of `dist/NAME.mjs`. Exit code 2 says that there are changes; what else fails ends this process too. */
function runBundle(name, args, input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, [`dist/${name}.mjs`, ...args], { cwd: ROOT, input, encoding: 'utf8' })
  if (status === 0 || status === 2) return stdout
  process.stderr.write(stderr)
  process.exit(1)
}

/** What `kpt fn source` prints: every resource of a folder with its path. */
async function readAsResourceList(folder) {
  const { isMap, parseAllDocuments, stringify } = await import('yaml')
  const items = yamlFilesBelow(folder).flatMap((path) => {
    const documents = parseAllDocuments(readFileSync(join(ROOT, folder, path), 'utf8')).filter(({ contents }) => isMap(contents))
    return documents.map((document, index) => {
      document.setIn(['metadata', 'annotations', 'config.kubernetes.io/path'], path)
      document.setIn(['metadata', 'annotations', 'config.kubernetes.io/index'], String(index))
      return document.toJS()
    })
  })
  return stringify({ apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items }, { version: '1.1', indentSeq: false })
}

function yamlFilesBelow(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => path.endsWith('.yaml'))
    .sort()
}

/** The package variants of a ResourceList as they will stand in their files, without the annotations of the wire. */
function variantsIn(list) {
  const items = list.split(/^(?=- )/m).filter((item) => /^ {2}kind: PackageVariant$/m.test(item))
  return items.map((item) => ({
    path: item.match(/^ +config\.kubernetes\.io\/path: (.*)$/m)[1],
    text: item.replace(/^ +(internal\.)?config\.kubernetes\.io\/.*\n/gm, '').replace(/^(- | {2})/gm, ''),
  }))
}

function heading(text) {
  print(`\n\u2501\u2501 ${text}\n\n`)
}

function print(text) {
  process.stdout.write(text)
}
