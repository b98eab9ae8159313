import { remember } from '../remember.ts'
import type { ChangeGroup, ImageChange } from './report.ts'

/** Matches the path of the image of a container. */
const IMAGE = /(?:^|\.)(?:c|initC|ephemeralC)ontainers\[[^\]]*\]\.image$/

/** Returns the images that containers change, those of the most clusters first. */
export function imageChanges(groups: readonly ChangeGroup[]): readonly ImageChange[] {
  const clusters = new Map<string, { readonly before: string; readonly after: string; readonly on: Set<string> }>()
  for (const { fields, places } of groups)
    for (const place of places)
      for (const { path, before, after } of place.fields ?? fields) {
        if (!IMAGE.test(path) || typeof before !== 'string' || typeof after !== 'string') continue
        const key = JSON.stringify([before, after])
        remember(clusters, key, () => ({ before, after, on: new Set<string>() })).on.add(place.cluster)
      }
  const found = Array.from(clusters.values(), ({ before, after, on }) => ({ before, after, clusters: on.size }))
  return found.sort((a, b) => b.clusters - a.clusters || (a.before + a.after < b.before + b.after ? -1 : 1))
}
