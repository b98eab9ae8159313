import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type RawEntry, RawRepository } from './raw-repository.ts'

/** Deep enough that every way out in these attacks ends in the folder that is compared. */
const DEPTH = 'a/b/c'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'

/** A fleet of one variant of the package `upf` of a repository, below a folder. */
export class HostileFleet {
  readonly folder: string
  readonly raw: RawRepository
  readonly #root: string

  constructor(root: string) {
    this.#root = root
    this.folder = join(root, DEPTH)
    mkdirSync(this.folder, { recursive: true })
    this.raw = new RawRepository(join(this.folder, 'catalog.git'))
    this.put('fleet/options.yaml', OPTIONS)
    this.ask('v1')
  }

  /** Has the variant ask for a revision. */
  ask(revision: string): void {
    this.put('fleet/variant.yaml', VARIANT.replace('REVISION', revision))
  }

  /** Tags a revision of the package. */
  release(revision: string, entries: readonly RawEntry[]): void {
    this.raw.release(revision, [this.raw.folder('upf', [this.raw.file('Kptfile', KPTFILE), ...entries])])
  }

  put(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  /** Every file, folder and link below the root with what is in it. */
  state(): readonly string[] {
    const names = readdirSync(this.#root, { recursive: true, encoding: 'utf8' }).sort()
    return names.map((name) => `${name} ${contentOf(join(this.#root, name))}`)
  }
}

function contentOf(place: string): string {
  const found = lstatSync(place)
  if (found.isSymbolicLink()) return `-> ${readlinkSync(place)}`
  if (!found.isFile()) return ''
  return `${(found.mode & 0o777).toString(8)} ${createHash('sha256').update(readFileSync(place)).digest('hex')}`
}

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: options
spec:
  repositories:
    catalog:
      git: {repo: ../catalog.git}
`

const VARIANT = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: edge
  namespace: default
spec:
  upstream: {repo: catalog, package: upf, workspaceName: REVISION}
  downstream: {repo: edge, package: upf}
`
