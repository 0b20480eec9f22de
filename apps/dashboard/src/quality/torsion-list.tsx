import { Button, Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { Listing } from '../shell/listing';
import { qualityTexts } from '../texts-quality';
import { placeIn3d, type Region, type Torsion } from './ramachandran';

const { rama } = qualityTexts;
const order: Readonly<Record<Region, number>> = { outlier: 0, allowed: 1, favoured: 2 };
/** Rows that are drawn at once. */
const atOnce = 100;

const Rows = ({ id, torsions }: { readonly id: string; readonly torsions: readonly Torsion[] }): ReactElement => (
  <Listing className="torsions" frame="torsions-frame" testId="torsions" columns={Object.values(rama.columns)}>
    {torsions.map((torsion, at) => {
      const name = plainLine(torsion.name);
      return (
        <tr key={at} data-region={torsion.region}>
          <th scope="row">
            <Link
              to="/sessions/$id"
              params={{ id }}
              search={{ view: '3d', at: placeIn3d(torsion) }}
              aria-label={rama.show(name)}
            >
              {name}
            </Link>
          </th>
          <td>{rama.classes[torsion.kind]}</td>
          <td className="number">{rama.degrees(torsion.phi)}</td>
          <td className="number">{rama.degrees(torsion.psi)}</td>
          <td className={`torsion-${torsion.region}`}>{rama.regions[torsion.region]}</td>
        </tr>
      );
    })}
  </Listing>
);

/** The plot in words: outliers first, then what is allowed, each with the way to it in 3D; the others when asked for. */
export const TorsionList = ({
  id,
  torsions,
}: {
  readonly id: string;
  readonly torsions: readonly Torsion[];
}): ReactElement => {
  const [hasAll, setHasAll] = useState(false);
  const [shown, setShown] = useState(atOnce);
  const listed = torsions
    .filter(({ region }) => hasAll || region !== 'favoured')
    .toSorted((one, other) => order[one.region] - order[other.region]);
  const more = Math.min(atOnce, listed.length - shown);
  return (
    <>
      <div className="torsions-head">
        <h3>
          {rama.listed} <span className="quiet small">{listed.length}</span>
        </h3>
        <Switch
          size="sm"
          label={rama.all}
          checked={hasAll}
          onChange={({ currentTarget: { checked } }) => {
            setHasAll(checked);
            setShown(atOnce);
          }}
        />
      </div>
      {listed.length === 0 ? (
        <p className="quiet">{rama.allFavoured}</p>
      ) : (
        <Rows id={id} torsions={listed.slice(0, shown)} />
      )}
      {more > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setShown(shown + atOnce);
          }}
        >
          {rama.more(more)}
        </Button>
      )}
    </>
  );
};
