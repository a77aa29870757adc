import { SLOTS } from '@clinic/domain';
import grid from './calendar-grid.module.css';
import { Skeleton, Skeletons } from '../../../shared/ui/states.tsx';
import { Hours } from './hours.tsx';

/**
 * The outline of a day while it loads: each row's bars as [start, width], in columns of 15 minutes. The rows have
 * their real height, so nothing moves when the day arrives.
 */
const SHAPES = [
  [
    [4, 14],
    [22, 10],
  ],
  [
    [6, 12],
    [20, 12],
  ],
  [
    [20, 10],
    [36, 10],
  ],
  [[4, 12]],
  [
    [6, 14],
    [22, 10],
    [34, 12],
  ],
  [
    [8, 12],
    [30, 8],
  ],
] as const;

export function CalendarSkeleton() {
  return (
    <div className={grid.scroll} role="status" aria-label="Loading the day">
      <div className={grid.grid} aria-hidden="true">
        <Hours now={null} />
        <Skeletons>
          {Array.from({ length: 24 }, (_, index) => (
            <div key={index} className={grid.row}>
              <div className={grid.name}>
                <Skeleton style={{ height: '0.75rem', width: `${55 + ((index * 17) % 35)}%`, marginTop: '0.375rem' }} />
              </div>
              <div className={grid.track}>
                {(SHAPES[index % SHAPES.length] ?? []).map(([from, width]) => (
                  <Skeleton
                    key={from}
                    style={{
                      position: 'absolute',
                      top: 2,
                      left: `${(from / SLOTS) * 100}%`,
                      width: `${(width / SLOTS) * 100}%`,
                    }}
                  />
                ))}
              </div>
            </div>
          ))}
        </Skeletons>
      </div>
    </div>
  );
}
