-- The table that `pindrill forecast` reads: how many people used which version on which day.
-- From a table `sessions(started, app_version, device)`, one row for each start of the app. DuckDB; what differs elsewhere is below.
COPY (
    SELECT
        CAST(started AS DATE) AS date,
        app_version AS version,
        COUNT(DISTINCT device) AS users
    FROM sessions
    -- A day that is not over counts too few.
    WHERE started >= CURRENT_DATE - INTERVAL 180 DAY AND started < CURRENT_DATE
    GROUP BY ALL
    ORDER BY date, version
) TO 'usage.csv' (HEADER, DELIMITER ',');

-- Spark SQL: no COPY; spark.sql("SELECT ...").coalesce(1).write.option("header", True).csv("usage"), with approx_count_distinct(device)
--   where exact counts are dear, INTERVAL 180 DAYS, and GROUP BY 1, 2 before Spark 3.4.
-- BigQuery: EXPORT DATA OPTIONS (uri = 'gs://bucket/usage-*.csv', format = 'CSV', header = true) AS SELECT ..., with DATE(started),
--   TIMESTAMP_SUB(TIMESTAMP(CURRENT_DATE()), INTERVAL 180 DAY), APPROX_COUNT_DISTINCT(device), and CURRENT_DATE('Europe/Zurich') where days
--   are those of a place.
