import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'

/** A fleet, the git repository of its catalog, a home, and a program that leaves a mark when anything runs it. */
export class HostilePlace {
  readonly root = mkdtempSync(join(realpathSync(tmpdir()), 'hostile-'))
  readonly fleet = join(this.root, 'fleet')
  readonly catalog = join(this.root, 'catalog')
  readonly trap = join(this.root, 'trap')
  readonly #mark = join(this.root, 'sprung')

  constructor() {
    this.write('trap', `#!/bin/sh\necho "$0 $@" >> ${this.#mark}\nexit 1\n`)
    chmodSync(this.trap, 0o755)
    this.write('home/.gitconfig', '')
    this.write('fleet/Kptfile', KPTFILE)
    this.variant('{repo: catalog, package: upf, revision: 1}')
  }

  /** The commands that ran the trap. */
  get sprung(): readonly string[] {
    return existsSync(this.#mark) ? readFileSync(this.#mark, 'utf8').split('\n').slice(0, -1) : []
  }

  /** The files of the fleet, and of what was made of it. */
  get files(): readonly string[] {
    const found = readdirSync(this.root, { recursive: true, withFileTypes: true })
    const paths = found.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(this.root.length + 1)] : []))
    return paths.filter((path) => !/^(home|cache)\/|^sprung$|(^|\/)\.git\/index$/.test(path)).sort()
  }

  remove(): void {
    rmSync(this.root, { recursive: true })
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), text)
  }

  git(folder: string, ...args: readonly string[]): string {
    return execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { encoding: 'utf8' }).trim()
  }

  variant(upstream: string): void {
    const spec = `spec:\n  upstream: ${upstream}\n  downstream: {repo: edge, package: upf}\n`
    this.write(
      'fleet/variant.yaml',
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: upf-edge\n${spec}`,
    )
  }

  /** Adds a set, which asks for one variant, for `plan`. */
  addSet(folder = 'fleet'): void {
    const spec = 'spec:\n  upstream: {repo: catalog, package: upf, revision: 1}\n  targets: [{repositories: [{name: site}]}]\n'
    this.write(`${folder}/set.yaml`, `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: upf\n${spec}`)
  }

  /** Makes a program of the home folder the user's ssh. */
  useSsh(script: string): void {
    this.write('home/ssh', script)
    chmodSync(join(this.root, 'home/ssh'), 0o755)
    this.write('home/.gitconfig', `[core]\n  sshCommand = ${join(this.root, 'home/ssh')}\n`)
  }

  /** The options of the fleet: what is known of the repository `catalog`. */
  options(catalog: string, more = ''): void {
    const annotations = 'annotations: {config.kubernetes.io/local-config: "true"}'
    this.write(
      'fleet/render.yaml',
      `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options, ${annotations}}\nspec:\n  repositories:\n    catalog: ${catalog}\n${more}`,
    )
  }

  /** Makes a folder a repository with one commit of all of it, tagged `upf/v1`. */
  commitAll(folder: string): void {
    this.git(folder, 'init', '--quiet', '--initial-branch=main')
    this.git(folder, 'add', '--all')
    this.git(folder, 'commit', '--quiet', '--message', 'first')
    this.git(folder, 'tag', 'upf/v1')
  }

  /** A catalog with the package `upf`, in git. */
  makeCatalog(): void {
    this.write('catalog/upf/Kptfile', KPTFILE)
    this.commitAll(this.catalog)
  }

  /** Makes a repository a partial clone that lacks a file, so that reading it fetches, and configures the way that the fetch goes. */
  loseFile(folder: string, path: string): void {
    const id = this.git(folder, 'rev-parse', `HEAD:${path}`)
    rmSync(join(folder, '.git/objects', id.slice(0, 2), id.slice(2)))
    this.configure(folder, ['core.repositoryFormatVersion', '1'], ['extensions.partialClone', 'origin'], ['remote.origin.promisor', 'true'])
  }

  configure(folder: string, ...settings: readonly (readonly [string, string])[]): void {
    for (const [key, value] of settings) this.git(folder, 'config', key, value)
  }
}
