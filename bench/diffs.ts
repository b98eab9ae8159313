import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askFor, commitAll, renderOrThrow, writeFleet } from './fleet-input.ts'
import { type Cost, measureOnce, nodeProgram, times } from './measure.ts'
import { buildPeer } from './peers.ts'
import { type Bench, type Row, scaled, writeInput } from './row.ts'

const TOOL = 'dist/krm-variants.mjs'
const RESOURCES = 20

/** `diff` of one changed upstream line, beside two `kustomize build` and a `dyff` for each package, on a tenth of the packages. */
export function diffs(bench: Bench): readonly Row[] {
  const variants = scaled(bench, 500)
  const folder = join(bench.folder, 'compared')
  mkdirSync(folder)
  writeFleet(folder, { variants, resources: RESOURCES })
  commitAll(folder)
  const stateOf = (revision: number) => {
    const out = join(bench.folder, `state-${revision}`)
    askFor(folder, revision)
    renderOrThrow([folder, '--out', out])
    return out
  }
  const [from, to] = [stateOf(1), stateOf(2)]
  const stdout = join(bench.folder, 'diff.out')
  const ours = measureOnce(nodeProgram(bench.folder, [TOOL, 'diff', 'HEAD', folder], { stdout, mayExit: [2] }))
  const [summary = ''] = readFileSync(stdout, 'utf8').split('\n')
  if (!summary.startsWith(`Fleet: ${variants} of ${variants} packages change`)) throw new Error(`diff must find all packages: ${summary}`)
  const cost = byKustomize(bench, from, to)
  for (const place of [folder, from, to]) rmSync(place, { recursive: true, force: true })
  const work = `diff of ${variants} packages of ${RESOURCES} resources, one upstream line changed`
  return [{ work, ours, ...(cost && { beside: { what: 'kustomize build twice, dyff; a tenth, times 10', cost } }), asked: { times: 5 } }]
}

function byKustomize(bench: Bench, from: string, to: string): Cost | undefined {
  const [kustomize, dyff] = [buildPeer(bench.folder, 'kustomize'), buildPeer(bench.folder, 'dyff')]
  if (kustomize === undefined || dyff === undefined) return undefined
  const all = packagesOf(from)
  const steps = all.slice(0, Math.ceil(all.length / 10)).map((name) => {
    const [before, after] = [join(from, name), join(to, name)]
    for (const place of [before, after]) writeFileSync(join(place, 'kustomization.yaml'), kustomizationOf(place))
    return `'${kustomize}' build '${before}' > '${before}.yaml'; '${kustomize}' build '${after}' > '${after}.yaml'; '${dyff}' between '${before}.yaml' '${after}.yaml'\n`
  })
  return times(10, measureOnce({ command: 'bash', args: [writeInput(bench, 'by-kustomize.sh', steps.join(''))], mayExit: [1] }))
}

/** Returns the packages of rendered folders as CLUSTER/NAME. */
function packagesOf(out: string): readonly string[] {
  return readdirSync(out).flatMap((cluster) => readdirSync(join(out, cluster)).map((name) => join(cluster, name)))
}

function kustomizationOf(place: string): string {
  const files = readdirSync(place).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  return `resources:\n${files.map((name) => `- ${name}\n`).join('')}`
}
