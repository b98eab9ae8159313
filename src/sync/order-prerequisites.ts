import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { shellWord } from '../shell-word.ts'
import { hasTagOfItsOwn, knowsReadyExpr, sourceKey } from './flux.ts'
import type { Deployment, SyncOptions } from './options.ts'

/**
 * The health of an Application, as in the documentation of Argo CD (health, argocd-app), in few words: a message is cut after 200
 * characters.
 */
const HEALTH = 'hs={status=[[Progressing]]} if obj.status and obj.status.health then hs=obj.status.health end return hs'

function patchOf(name: string, data: Readonly<Record<string, string>>, namespace: string): string {
  return `kubectl patch configmap ${name} --namespace ${shellWord(namespace)} --type merge --patch ${shellWord(JSON.stringify({ data }))}`
}

/** Returns what the order of deployments depends on in their system, for the first run that writes an order. */
export function orderPrerequisites(
  deployments: readonly Deployment[],
  { config, system, per, namespace }: SyncOptions,
  items: readonly KrmObject[] = [],
): readonly Result[] {
  const about = (message: string): Result[] => [
    faultToResult(config, { severity: 'info', rule: 'sync-order', path: ['spec', 'for'], message }),
  ]
  if (system === 'argocd' && new Set(deployments.map(({ wave }) => wave)).size > 1) {
    return per === 'set'
      ? about(
          `is 'argocd', whose ApplicationSets sync wave by wave only with progressive syncs, and then without automated sync of their Applications; switch them on: ${patchOf('argocd-cmd-params-cm', { 'applicationsetcontroller.enable.progressive.syncs': 'true' }, namespace)}`,
        )
      : about(
          `is 'argocd', whose waves order the first installation, by an application that deploys these Applications; a change of a package does not pass through that application, so \`per: set\` is for an order of changes too. Argo CD waits for a wave only if it knows the health of Applications: ${patchOf('argocd-cm', { 'resource.customizations.health.argoproj.io_Application': HEALTH }, namespace)}`,
        )
  }
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]))
  const isKnown = knowsReadyExpr(items)
  const isAcross = deployments.some((deployment) =>
    deployment.waitsFor.some((name) => {
      const other = byName.get(name)
      return other !== undefined && sourceKey(other) !== sourceKey(deployment) && !(isKnown && hasTagOfItsOwn(other, deployment))
    }),
  )
  if (system !== 'flux' || !isAcross) return []
  return about(
    "is 'flux', whose `dependsOn` between Kustomizations of different git repositories orders the first installation only: Flux compares revisions within one GitRepository; for an order of changes too, write one git repository with a `directory` for each Repository, set `tagExpr`, or raise the rings one after the other",
  )
}
