import { useProject } from './use-project.ts'

/** Tells a viewer of the current project why the service rejects changes. */
export function ViewerNote() {
  const project = useProject()
  if (project?.role !== 'viewer') return null
  return (
    <p role="status" className="bg-accent-soft px-4 py-1.5 text-center text-xs font-medium text-accent-strong">
      You are a viewer of {project.name}: you can read, but not change anything or call models.
    </p>
  )
}
