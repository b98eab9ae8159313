import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Row, scaled } from './bench.ts'
import { type Cost, measure, usageReporter, workOf } from './measure.ts'

const TOOL = 'dist/krm-variants.mjs'

interface Chain {
  readonly what: string
  /** One version of the package of a number, which requires that of the next where there is one. */
  readonly known: (number: number, next: number | undefined) => string
  /** The first of them, which a person installs. */
  readonly installed: string
}

const CHAINS: readonly Chain[] = [
  {
    what: 'ClusterPackages',
    known: (number, next) =>
      `  - {ecosystem: glasskube, id: p${number}, versions: [{version: v1.0.0+1, dependencies: [${next === undefined ? '' : `{name: p${next}, version: ^1.0.0}`}]}]}\n`,
    installed: `apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {name: p0}
spec: {packageInfo: {name: p0, version: v1.0.0+1}}
`,
  },
  {
    what: 'Providers',
    known: (number, next) =>
      `  - {ecosystem: crossplane, id: registry.example.org/p${number}, kind: Provider, versions: [{version: v1.0.0, digest: 'sha256:${digest(number)}', dependencies: [${next === undefined ? '' : `{provider: registry.example.org/p${next}, version: '>=v1.0.0'}`}]}]}\n`,
    installed: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: p0}
spec: {package: 'registry.example.org/p0:v1.0.0'}
`,
  },
]

/** `simulate` of a package that requires one that requires one: a hundred of them, and a thousand. */
export function simulations(bench: Bench): readonly Row[] {
  return CHAINS.map((chain) => {
    const few = scaled(bench, 100)
    const [small, large] = [simulate(bench, chain, few), simulate(bench, chain, few * 10)]
    return {
      what: `simulate of a chain of ${few * 10} ${chain.what}`,
      ours: large,
      baseline: { what: `a chain of ${few}`, ...small },
      must: '12 x baseline',
      ...(!bench.quick && { met: workOf(large) <= 12 * workOf(small) }),
    }
  })
}

function simulate(bench: Bench, { known, installed }: Chain, count: number): Cost {
  const folder = join(bench.folder, 'simulated')
  mkdirSync(folder)
  const versions = Array.from({ length: count }, (_, number) => known(number, number + 1 < count ? number + 1 : undefined))
  writeFileSync(join(folder, 'catalog.yaml'), `${CATALOG}${versions.join('')}`)
  writeFileSync(join(folder, 'package.yaml'), installed)
  const [stdin, stdout] = [join(bench.folder, 'nothing'), join(bench.folder, 'simulate.out')]
  writeFileSync(stdin, '')
  const args = [...usageReporter(bench.folder), TOOL, 'simulate', folder]
  const cost = measure({ command: process.execPath, args, stdin, stdout, copied: bench.identityInput }, bench.runs)
  const made = readFileSync(stdout, 'utf8').match(/ is installed as /g)?.length ?? 0
  if (made !== count - 1) throw new Error(`a chain of ${count} must install ${count - 1} packages, installs ${made}`)
  rmSync(folder, { recursive: true })
  return cost
}

const CATALOG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata:
  name: known
spec:
  packages:
`

/** Revisions are named by the digests of their images. */
function digest(number: number): string {
  return number.toString(16).padStart(64, '0')
}
