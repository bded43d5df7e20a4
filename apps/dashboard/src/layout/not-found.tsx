import { Link } from '@tanstack/react-router'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Compass } from '../components/icons.tsx'
import { PageLayout } from './page-layout.tsx'

export function NotFound() {
  return (
    <PageLayout title="Page not found">
      <EmptyState
        icon={Compass}
        title="There is no page at this address"
        action={
          <Link to="/" className={buttonClass({})}>
            Go to the overview
          </Link>
        }
      >
        The link may be outdated, or the address mistyped.
      </EmptyState>
    </PageLayout>
  )
}
