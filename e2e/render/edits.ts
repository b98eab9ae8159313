import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePath } from '../run-program.ts'

/** The packages in which people work. */
export const LOYALTY = 'hub-north/loyalty'
export const TILLS = 'store-ham-01/point-of-sale'

/** Edits two packages as people do: fields, comments, new files, deleted resources, functions in the pipeline. */
export function editPackages(clusters: string): void {
  const [loyalty, tills] = [join(clusters, LOYALTY), join(clusters, TILLS)]
  edit(join(loyalty, 'quota.yaml'), 'pods: "20"', 'pods: "25" # for the autumn sale')
  edit(join(loyalty, 'quota.yaml'), 'requests.memory: 8Gi', 'requests.memory: 16Gi')
  edit(join(loyalty, 'namespace.yaml'), 'apiVersion: v1', '# Run by the loyalty team.\napiVersion: v1')
  rmSync(join(loyalty, 'network-policy.yaml'))
  writeFileSync(join(loyalty, 'limits.yaml'), 'apiVersion: v1\nkind: LimitRange\nmetadata:\n  name: own\n')
  const validator = `  - exec: ${bundlePath('check-dependencies')}`
  appendFileSync(join(loyalty, 'Kptfile'), `pipeline:\n  validators:\n  # Nothing may be missing.\n${validator}\n`)
  edit(join(tills, 'tills.yaml'), 'value: paper', 'value: digital # no printers since the fair')
  edit(join(tills, 'service.yaml'), 'port: 443', 'port: 443 # the firewall knows it')
  rmSync(join(tills, 'printer.yaml'))
  writeFileSync(join(tills, 'hours.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hours\n')
  // Behind the function of the variant.
  edit(join(tills, 'Kptfile'), /(?<=^ +namespace: .*\n)/m, '  - image: example.com/own-labels:v1 # ours\n')
}

/** The catalog has a second revision of tenant, and the set asks for it. */
export function askForNewTenant(fleet: string): void {
  const revisions = join(fleet, 'catalog/package-revisions.yaml')
  const [first = ''] = readFileSync(revisions, 'utf8').split('---\n')
  appendFileSync(
    revisions,
    `---\n${first.replace('tenant.v1', 'tenant.v2').replace('revision: 1', 'revision: 2').replace('Name: v1', 'Name: v2')}`,
  )
  edit(join(fleet, 'sets/tenants.yaml'), 'revision: 1', 'revision: 2')
}

/** The variants themselves ask for other revisions, as fan-out would write them. */
export function bumpVariants(fleet: string): void {
  const tenants = join(fleet, 'sets/variants/tenants')
  for (const name of readdirSync(tenants)) edit(join(tenants, name), 'revision: 1', 'revision: 2')
  edit(join(fleet, 'sets/variants/point-of-sale/point-of-sale-store-ham-01-point-of-sale.yaml'), 'revision: 2', 'revision: 3')
}

/** Replaces something in a file, which must be there. */
export function edit(path: string, before: string | RegExp, after: string): void {
  const text = readFileSync(path, 'utf8')
  const edited = text.replace(before, () => after)
  if (edited === text) throw new Error(`${path} does not have ${before}`)
  writeFileSync(path, edited)
}
